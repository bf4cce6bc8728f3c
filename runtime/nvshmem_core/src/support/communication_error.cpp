// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/error.hpp>
#include <cubind/nvshmem_core/communication_error.hpp>

#include <utility>

#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

namespace {

std::string advice_on(nvshmemx_status status) {
    switch (status) {
        case NVSHMEMX_SUCCESS:
        case NVSHMEMX_ERROR_NOT_SUPPORTED:
            return {};
        case NVSHMEMX_ERROR_OUT_OF_MEMORY:
            return "Free device memory, or use less of the symmetric heap.";
        case NVSHMEMX_ERROR_SYMMETRY:
            return "All PEs must make the same calls with the same sizes, in the same order.";
        case NVSHMEMX_ERROR_GPU_NOT_SELECTED:
            return "Each PE needs a device of its own.";
        default:
            return "All PEs must make the same calls. With the environment variable NVSHMEM_DEBUG=WARN, NVSHMEM prints the "
                   "cause.";
    }
}

}  // namespace

CommunicationError::CommunicationError(const Error& failure, std::string operation, int pe, const std::string& advice)
    : cubind::CommunicationError(failure, std::move(operation), "PE", pe, advice) {}

namespace detail {

void throw_failed_call(nvshmemx_status status, const Place& place) {
    try {
        cubind::detail::throw_error("nvshmem", static_cast<int>(status), to_string(status), describe(status), true);
    } catch (const Error& error) {
        throw CommunicationError(error, place.operation, place.pe, advice_on(status));
    }
}

void throw_failure(const char* function, nvshmemx_status status, const Place& place, const std::string& why) {
    const Error error("nvshmem", function, static_cast<int>(status), to_string(status), why);
    throw CommunicationError(error, place.operation, place.pe, advice_on(status));
}

}  // namespace detail
}  // namespace CUBIND_NAMESPACE::nvshmem
