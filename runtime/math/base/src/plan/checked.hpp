// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/result.hpp>

#include <string>

namespace CUBIND_NAMESPACE::math::detail {

/// What messages state about the statuses of a library. Specialize it for the status enum of each library:
///
///     static constexpr const char* package;             the Python package that has the library
///     static constexpr Status out_of_memory;            the status for exhausted memory
///     static std::string advice(Status status);         what to do, or ""
template <class Status>
struct StatusTraits;

/// A status without its type.
struct FailedStatus {
    const char* library;
    int value;
    const char* name;
    const char* description;
    bool is_out_of_memory;
    const char* package;
};

/// Throws Error, or OutOfMemory, for the status of the calling thread's latest call. The message ends with `what`, which is a
/// sentence about the operation and its values, and `advice`. For a missing library, it names the package.
[[noreturn]] CUBIND_EXPORT void throw_failed_call(const FailedStatus& status, const std::string& what, const std::string& advice);

/// Reports a failed release to the cleanup handler.
CUBIND_EXPORT void report_failed_release(const char* action, const char* reason) noexcept;

/// Returns the value of a result, or nothing. Throws as throw_failed_call() does; `what` is called for the sentence.
template <class Status, class... Values, class What>
auto checked(const Result<Status, Values...>& result, const What& what) {
    if (!result.ok()) [[unlikely]] {
        using Traits = StatusTraits<Status>;
        const Status status = result.status;
        throw_failed_call({library_name(status), static_cast<int>(status), to_string(status), describe(status),
                           status == Traits::out_of_memory, Traits::package},
                          what(), Traits::advice(status));
    }
    if constexpr (sizeof...(Values) == 1) return result.value;
}

/// Reports the failure of a call that releases something.
template <class Status>
void report(const Result<Status>& result, const char* action) noexcept {
    if (!result.ok()) [[unlikely]]
        report_failed_release(action, to_string(result.status));
}

}  // namespace CUBIND_NAMESPACE::math::detail
