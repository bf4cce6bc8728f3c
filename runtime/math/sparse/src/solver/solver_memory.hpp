// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/cudss/types.hpp>

#include <mutex>
#include <string>

namespace CUBIND_NAMESPACE::math::detail {

/// Supplies cuDSS with memory of a resource. The library keeps its address. Thread-safe, because the library may have threads.
class SolverMemory {
public:
    explicit SolverMemory(MemoryResource resource) : resource_(std::move(resource)) {}
    SolverMemory(const SolverMemory&) = delete;
    SolverMemory& operator=(const SolverMemory&) = delete;

    /// Returns what cudssSetDeviceMemHandler receives.
    [[nodiscard]] cudss::cudssDeviceMemHandler_t handler() noexcept;
    /// Returns the message of the latest failed allocation, which this forgets, or "".
    [[nodiscard]] std::string take_failure();

private:
    static int allocate(void* self, void** address, std::size_t size, cudss::cudaStream_t stream) noexcept;
    static int free(void* self, void* address, std::size_t size, cudss::cudaStream_t stream) noexcept;

    MemoryResource resource_;
    std::mutex mutex_;
    std::string failure_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
