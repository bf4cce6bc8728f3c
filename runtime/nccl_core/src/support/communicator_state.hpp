// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/nccl/types.hpp>
#include <cubind/nccl_core/detail/elements.hpp>

#include <exception>
#include <initializer_list>

#include "errors/misuse.hpp"
#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::nccl::detail {

/// A communicator, which its registrations and operators know, so that they do nothing after it has ended.
struct CommunicatorState {
    ncclComm_t handle = nullptr;  // null after the end
    Device device;
    ContextRef context = device.primary_context();  // that of most streams
    int rank = -1;                                  // -1 while NCCL does not know it
    int size = -1;
    const char* operation = "the creation";       // the latest one
    bool has_failed = false;                      // whether ranks may be missing
    int exceptions = std::uncaught_exceptions();  // those that pass at the creation

    [[nodiscard]] Place place() const noexcept { return {operation, rank, size, handle}; }

    /// Begins an operation with those of its operands that this rank uses; null is none. Throws std::invalid_argument for memory
    /// of another device; only buffers know their device without a call of the driver.
    void begin(const char* name, std::initializer_list<const Elements*> operands = {}) {
        operation = name;
        for (const Elements* each : operands) {
            if (each != nullptr) check_memory(*each);
        }
    }
    /// Begins an operation on a stream, and returns its handle. Throws std::invalid_argument for a stream of another device,
    /// unless other code owns it. If a GraphBuilder captures, its graph retains the buffers.
    cudaStream_t begin(const char* name, StreamRef stream, std::initializer_list<const Elements*> operands = {});

    /// Returns the operand of an operation if this rank is the root, which alone uses it; otherwise null.
    [[nodiscard]] const Elements* of_root(const Elements& operand, int root) const noexcept {
        return rank == root ? &operand : nullptr;
    }

    /// Checks a call. A failed call may leave other ranks behind.
    template <class Call>
    auto check(const Call& result) {
        has_failed = has_failed || !has_begun(result.status);
        return checked(result, place());
    }

private:
    void check_memory(const Elements& memory) const;
};

/// Throws std::invalid_argument for a rank that does not exist. `what` names it.
inline void check_rank(const char* operation, const char* what, int rank, int size) {
    if (rank < 0 || rank >= size) [[unlikely]] {
        cubind::detail::throw_misuse(operation, ": the ", what, " is ", rank, ", but the communicator has the ranks 0 to ",
                                     size - 1);
    }
}

inline void* pointer(const Elements& elements) noexcept {
    return reinterpret_cast<void*>(elements.address);
}

}  // namespace CUBIND_NAMESPACE::nccl::detail
