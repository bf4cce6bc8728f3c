// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/constants.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/interop/external_semaphore.hpp>

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

using SignalParameters = driver::CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;
using WaitParameters = driver::CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;

/// Throws std::invalid_argument if the operation does not suit the kind of its semaphore.
void check_operation(const ExternalSemaphoreOperation& operation, bool is_signal);

/// Returns the semaphores and their values as text.
[[nodiscard]] std::string describe(std::span<const ExternalSemaphoreOperation> operations);

/// The arrays of a call with several semaphores. `Parameters` are SignalParameters or WaitParameters.
template <class Parameters>
class SemaphoreBatch {
public:
    static constexpr bool is_signal = std::is_same_v<Parameters, SignalParameters>;

    /// Throws like signal_semaphores() and wait_semaphores().
    explicit SemaphoreBatch(std::span<const ExternalSemaphoreOperation> operations) {
        handles_.reserve(operations.size());
        parameters_.reserve(operations.size());
        for (const ExternalSemaphoreOperation& each : operations) {
            handles_.push_back(each.semaphore.native_handle());
            check_operation(each, is_signal);
            Parameters parameters{};
            parameters.params.fence.value = each.value.value_or(0);
            parameters.params.nvSciSync.fence = each.fence;
            if (each.skip_memory_synchronization) {
                parameters.flags = is_signal ? driver::CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC
                                             : driver::CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC;
            }
            parameters_.push_back(parameters);
        }
    }

    const driver::CUexternalSemaphore* handles() const noexcept { return handles_.data(); }
    const Parameters* parameters() const noexcept { return parameters_.data(); }
    unsigned int count() const noexcept { return static_cast<unsigned int>(handles_.size()); }

private:
    std::vector<driver::CUexternalSemaphore> handles_;
    std::vector<Parameters> parameters_;
};

}  // namespace CUBIND_NAMESPACE::detail
