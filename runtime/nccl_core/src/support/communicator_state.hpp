// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/nccl/types.hpp>

#include <exception>

#include "errors/misuse.hpp"
#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::nccl::detail {

/// A communicator, which its registrations and operators know, so that they do nothing after it has ended.
struct CommunicatorState {
    ncclComm_t handle = nullptr;  // null after the end
    Device device;
    int rank = -1;  // -1 while NCCL does not know it
    int size = -1;
    const char* operation = "the creation";       // the latest one
    bool has_failed = false;                      // whether ranks may be missing
    int exceptions = std::uncaught_exceptions();  // those that pass at the creation

    /// Names an operation, and returns its place.
    Place begin(const char* name) noexcept {
        operation = name;
        return place();
    }
    [[nodiscard]] Place place() const noexcept { return {operation, rank, size, handle}; }

    /// Checks a call. A failed call may leave other ranks behind.
    template <class Call>
    auto check(const Call& result) {
        has_failed = has_failed || !has_begun(result.status);
        return checked(result, place());
    }
};

/// Throws std::invalid_argument for a rank that does not exist. `what` names it.
inline void check_rank(const char* operation, const char* what, int rank, int size) {
    if (rank < 0 || rank >= size) {
        cubind::detail::throw_misuse(operation, ": the ", what, " is ", rank, ", but the communicator has the ranks 0 to ",
                                     size - 1);
    }
}

}  // namespace CUBIND_NAMESPACE::nccl::detail
