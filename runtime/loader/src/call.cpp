// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/call.hpp>
#include <cubind/detail/record_failure.hpp>

namespace CUBIND_NAMESPACE::detail {

int status_failed(const EntryPoint& entry, int status) noexcept {
    record_failure({entry.library->name, entry.symbol, status, FailureReason::status, ""});
    return status;
}

int missing_status() noexcept {
    return last_failure().status;
}

}  // namespace CUBIND_NAMESPACE::detail
