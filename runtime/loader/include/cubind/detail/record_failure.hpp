// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/failure.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Makes `failure` the calling thread's last_failure(). Its texts must live as long as the process.
[[gnu::cold, gnu::noinline]] CUBIND_EXPORT void record_failure(const Failure& failure) noexcept;

/// Earlier failures of a thread, each of another function or with another status than the next one. Few, because they serve
/// messages: a stored result does not know its function, and these functions may have returned it.
struct EarlierFailures {
    CUBIND_HIDDEN static constexpr unsigned int max_count = 8;

    struct Entry {
        const char* library;
        const char* function;
        int status;
    };
    Entry entries[max_count];  ///< a ring
    unsigned int count;        ///< of all that were added
};

/// Returns the calling thread's failures before last_failure().
[[gnu::cold]] CUBIND_EXPORT const EarlierFailures& earlier_failures() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
