// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/checked.hpp"

#include <cubind/error.hpp>
#include <cubind/failure.hpp>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"

namespace CUBIND_NAMESPACE::math::detail {

void throw_failed_call(const FailedStatus& status, const std::string& what, const std::string& advice) {
    std::string text = what;
    const std::string remedy = last_failure().reason == FailureReason::library_missing
                                   ? cubind::detail::concat("Install the Python package ", status.package, ".")
                                   : advice;
    if (!remedy.empty()) text += (text.empty() ? "" : " ") + remedy;
    try {
        cubind::detail::throw_error(status.library, status.value, status.name, status.description, true);
    } catch (const Error& error) {
        if (status.is_out_of_memory) throw OutOfMemory(error, text);
        throw Error(error, text);
    }
}

void report_failed_release(const char* action, const char* reason) noexcept {
    cubind::detail::report_cleanup_failure(action, reason);
}

}  // namespace CUBIND_NAMESPACE::math::detail
