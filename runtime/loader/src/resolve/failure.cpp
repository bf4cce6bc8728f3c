// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/record_failure.hpp>

namespace CUBIND_NAMESPACE {

namespace {

constinit thread_local Failure latest_failure{"", "", 0, FailureReason::none, ""};

}  // namespace

const Failure& last_failure() noexcept {
    return latest_failure;
}

void detail::record_failure(const Failure& failure) noexcept {
    latest_failure = failure;
}

}  // namespace CUBIND_NAMESPACE
