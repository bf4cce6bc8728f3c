// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Replaces the function that throws exceptions. Includes no header of the standard library: those declare it with other types.

#include "exceptions.hpp"

#include <dlfcn.h>

#if CUBIND_TEST_OBSERVES_EXCEPTIONS

extern "C" [[noreturn]] void __cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
    using Throw = void (*)(void*, void*, void (*)(void*));
    static const auto original = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
    cubind::testing::forget_failed_calls();
    original(exception, type, destroy);
    __builtin_unreachable();
}

#endif
