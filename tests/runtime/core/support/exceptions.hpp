// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sanitizers of clang++ replace the function that throws, so that tests cannot observe it.
#define CUBIND_TEST_OBSERVES_EXCEPTIONS 1
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#undef CUBIND_TEST_OBSERVES_EXCEPTIONS
#define CUBIND_TEST_OBSERVES_EXCEPTIONS 0
#endif
#endif

namespace cubind::testing {

/// Called before each exception of the program is thrown, on its thread.
void forget_failed_calls() noexcept;

}  // namespace cubind::testing
