// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The linker's option --wrap redirects each throw expression of the program to this file. The file includes no header of the
// standard library, because these declare __cxa_throw with other types.

#include "exceptions.hpp"

extern "C" {

[[noreturn]] void __real___cxa_throw(void* exception, void* type, void (*destroy)(void*));

[[noreturn]] void __wrap___cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
    cubind::testing::forget_failed_calls();
    __real___cxa_throw(exception, type, destroy);
}

[[noreturn]] void __real___cxa_rethrow();

[[noreturn]] void __wrap___cxa_rethrow() {
    cubind::testing::forget_failed_calls();
    __real___cxa_rethrow();
}

}  // extern "C"
