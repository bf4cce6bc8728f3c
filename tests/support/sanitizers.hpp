// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sanitizers that a test is compiled with. g++ defines macros, and clang++ has features.
#if defined(__has_feature)
#define CUBIND_TEST_HAS_FEATURE(feature) __has_feature(feature)
#else
#define CUBIND_TEST_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_THREAD__) || CUBIND_TEST_HAS_FEATURE(thread_sanitizer)
#define CUBIND_TEST_THREAD_SANITIZER 1
#else
#define CUBIND_TEST_THREAD_SANITIZER 0
#endif

#if defined(__SANITIZE_ADDRESS__) || CUBIND_TEST_HAS_FEATURE(address_sanitizer)
#define CUBIND_TEST_ADDRESS_SANITIZER 1
#else
#define CUBIND_TEST_ADDRESS_SANITIZER 0
#endif

/// Whether a sanitizer replaces the functions that allocate memory.
#define CUBIND_TEST_ALLOCATOR_SANITIZER \
    (CUBIND_TEST_THREAD_SANITIZER || CUBIND_TEST_ADDRESS_SANITIZER || CUBIND_TEST_HAS_FEATURE(memory_sanitizer))
