// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/record_failure.hpp>

namespace CUBIND_NAMESPACE {

namespace {

constinit thread_local Failure latest_failure{"", "", 0, FailureReason::none, ""};
constinit thread_local detail::EarlierFailures earlier{};

}  // namespace

const Failure& last_failure() noexcept {
    return latest_failure;
}

// Names of functions are compared by their addresses: equal texts at different addresses take two entries.
void detail::record_failure(const Failure& failure) noexcept {
    const Failure& latest = latest_failure;
    const bool is_alike = failure.function == latest.function && failure.status == latest.status;
    if (!is_alike && latest.reason != FailureReason::none) {
        earlier.entries[earlier.count % EarlierFailures::max_count] = {latest.library, latest.function, latest.status};
        ++earlier.count;
    }
    latest_failure = failure;
}

const detail::EarlierFailures& detail::earlier_failures() noexcept {
    return earlier;
}

}  // namespace CUBIND_NAMESPACE
