// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/cleanup.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

namespace cubind::detail {

/// Tells the handler one line: "could not WHAT: WHY".
void report_cleanup_failure(const char* what, const char* why) noexcept;

/// Tells the handler about a call that was to release something and did not. `what` says what: "destroy a stream".
void report_unless_released(const Result<driver::CUresult>& result, const char* what, const void* handle) noexcept;

/// Tells the handler about the exception that is being handled, and which is the reason that something was not released.
void report_exception_unless_released(const char* what) noexcept;

}  // namespace cubind::detail
