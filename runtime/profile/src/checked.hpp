// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cupti/status.hpp>
#include <cubind/cupti/strings.hpp>
#include <cubind/cupti/types.hpp>
#include <cubind/result.hpp>

namespace CUBIND_NAMESPACE::profile::detail {

/// Throws Error for the status of the calling thread's latest call of CUPTI: what could not be done, and the remedy. LoadError if
/// the library is missing.
[[noreturn]] void throw_failed_call(cupti::CUptiResult status, const char* action);

/// Returns the value of a result, or nothing. Throws Error.
template <class... Values>
auto checked(const Result<cupti::CUptiResult, Values...>& result, const char* action) {
    if (!result.ok()) [[unlikely]]
        throw_failed_call(result.status, action);
    if constexpr (sizeof...(Values) == 1) return result.value;
}

/// Reports a call that failed where nothing can be thrown.
void report(const Result<cupti::CUptiResult>& result, const char* action) noexcept;

}  // namespace CUBIND_NAMESPACE::profile::detail
