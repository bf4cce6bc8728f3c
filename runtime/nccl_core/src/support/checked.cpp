// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/checked.hpp"

#include <cubind/error.hpp>
#include <cubind/nccl/communicators.hpp>
#include <cubind/nccl_core/communication_error.hpp>

#include <utility>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::concat;

namespace {

std::string with_last_error(const std::string& last_error, const std::string& advice) {
    const std::string text = last_error.empty() ? "" : concat("NCCL's last error: ", last_error, ".");
    return concat(text, text.empty() || advice.empty() ? "" : " ", advice);
}

}  // namespace

CommunicationError::CommunicationError(const Error& failure, std::string operation, int rank, std::string last_error,
                                       const std::string& advice)
    : cubind::CommunicationError(failure, std::move(operation), "rank", rank, with_last_error(last_error, advice)),
      last_error_(std::move(last_error)) {}

namespace detail {
namespace {

std::string advice_on(ncclResult_t status) {
    switch (status) {
        case ncclInvalidUsage:
            return "NCCL allows one rank a GPU, and all ranks must make the same calls: start as many processes as there are "
                   "GPUs, "
                   "each with a device of its own.";
        case ncclRemoteError:
            return "Another rank has ended, or its connection: abort the communicator, and create a new one of the ranks that "
                   "remain.";
        case ncclUnhandledCudaError:
        case ncclSystemError:
        case ncclInternalError:
            return "With the environment variable NCCL_DEBUG=WARN, NCCL prints the cause.";
        default:
            return {};
    }
}

}  // namespace

std::string last_error_of(ncclComm_t handle) {
    const char* text = ncclGetLastError(handle);
    return text == nullptr ? std::string() : std::string(text);
}

void throw_failed_call(ncclResult_t status, const Place& place) {
    try {
        cubind::detail::throw_error("nccl", static_cast<int>(status), to_string(status), describe(status), true);
    } catch (const Error& error) {
        throw CommunicationError(error, place.operation, place.rank, last_error_of(place.handle), advice_on(status));
    }
}

void throw_failed_work(ncclResult_t status, const Place& place, const std::string& what) {
    const Error error("nccl", "ncclCommGetAsyncError", static_cast<int>(status), to_string(status), what);
    throw CommunicationError(error, place.operation, place.rank, last_error_of(place.handle), advice_on(status));
}

void report(const Result<ncclResult_t>& result, const char* action) noexcept {
    if (!has_begun(result.status)) cubind::detail::report_cleanup_failure(action, to_string(result.status));
}

}  // namespace detail
}  // namespace CUBIND_NAMESPACE::nccl
