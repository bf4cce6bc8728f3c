// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Reports one line to the cleanup handler: "could not ACTION: REASON".
CUBIND_EXPORT void report_cleanup_failure(const char* action, const char* reason) noexcept;

/// Reports the line only if this process has not reported an action of the same name and cause before, for problems that recur at
/// each use, such as a full disk. The reason may state more than the cause, such as the file of the first failure.
void report_cleanup_failure_once(const char* action, const std::string& cause, const std::string& reason) noexcept;

/// Reports a call that failed to release a resource. `action` names the intended action, such as "destroy a stream". The
/// failure is not reported if its cause is that the driver has shut down or the context was destroyed.
CUBIND_EXPORT void report_failure_unless_released(driver::CUresult status, const char* action, const void* handle) noexcept;
inline void report_unless_released(const Result<driver::CUresult>& result, const char* action, const void* handle) noexcept {
    if (!result.ok()) [[unlikely]]
        report_failure_unless_released(result.status, action, handle);
}

/// Reports the exception that is being handled as the reason why the action failed. The failure is not reported if its cause is
/// that the driver has shut down or the context was destroyed.
CUBIND_EXPORT void report_exception_unless_released(const char* action) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
