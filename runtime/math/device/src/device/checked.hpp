// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/mathdx/status.hpp>
#include <cubind/mathdx/types.hpp>
#include <cubind/result.hpp>

#include <string>

namespace CUBIND_NAMESPACE::math::device::detail {

/// Throws CompileError with the log of libmathdx, or Error, for the status of the calling thread's latest call. `what` is the
/// description, and may have the operator at the end.
[[noreturn]] void throw_failed_call(mathdx::commondxStatusType status, const std::string& what);

/// Returns the value of a result, or nothing. Throws as throw_failed_call() does.
template <class... Values>
auto checked(const Result<mathdx::commondxStatusType, Values...>& result, const std::string& what) {
    if (!result.ok()) [[unlikely]]
        throw_failed_call(result.status, what);
    if constexpr (sizeof...(Values) == 1) return result.value;
}

/// Reports a failed release to the cleanup handler.
void report(const Result<mathdx::commondxStatusType>& result, const char* action) noexcept;

}  // namespace CUBIND_NAMESPACE::math::device::detail
