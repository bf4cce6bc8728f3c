// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl/status.hpp>
#include <cubind/nccl/types.hpp>
#include <cubind/result.hpp>

#include <string>

namespace CUBIND_NAMESPACE::nccl::detail {

/// Where a call was made, for messages.
struct Place {
    const char* operation;
    int rank = -1;
    int size = -1;
    ncclComm_t handle = nullptr;
};

/// Throws CommunicationError for the status of the calling thread's latest call, with NCCL's last error and advice.
[[noreturn]] void throw_failed_call(ncclResult_t status, const Place& place);
/// Throws CommunicationError for a status that NCCL has reported about earlier work, or that a wait has found.
[[noreturn]] void throw_failed_work(ncclResult_t status, const Place& place, const std::string& what);

/// Returns whether a call has succeeded, or will, because the communicator does not block.
inline bool has_begun(ncclResult_t status) noexcept {
    return status == ncclSuccess || status == ncclInProgress;
}

/// Returns the value of a result, or nothing. Throws CommunicationError.
template <class... Values>
auto checked(const Result<ncclResult_t, Values...>& result, const Place& place) {
    if (!has_begun(result.status)) [[unlikely]]
        throw_failed_call(result.status, place);
    if constexpr (sizeof...(Values) == 1) return result.value;
}

/// Returns what NCCL has stored about its last error.
[[nodiscard]] std::string last_error_of(ncclComm_t handle);

/// Reports a failed release to the cleanup handler.
void report(const Result<ncclResult_t>& result, const char* action) noexcept;

}  // namespace CUBIND_NAMESPACE::nccl::detail
