// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/call.hpp>
#include <cubind/detail/record_failure.hpp>

namespace CUBIND_NAMESPACE::detail {

int record_failed_status(const EntryPoint& entry, int status) noexcept {
    record_failure({entry.library->name, entry.symbol, status, FailureReason::status, ""});
    return status;
}

int last_failure_status() noexcept {
    return last_failure().status;
}

}  // namespace CUBIND_NAMESPACE::detail
