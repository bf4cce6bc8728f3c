// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A library for LD_AUDIT. When the dynamic linker has mapped the file that CUBIND_TEST_REPLACED names, the file that
// CUBIND_TEST_REPLACEMENT names takes its place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>

extern "C" {

[[gnu::visibility("default")]] unsigned la_version(unsigned version) {
    return version;
}

[[gnu::visibility("default")]] unsigned la_objopen(link_map* object, Lmid_t, std::uintptr_t*) {
    const char* const replaced = std::getenv("CUBIND_TEST_REPLACED");
    const char* const replacement = std::getenv("CUBIND_TEST_REPLACEMENT");
    if (replaced != nullptr && replacement != nullptr && std::strcmp(object->l_name, replaced) == 0) {
        std::rename(replacement, replaced);
    }
    return 0;
}

}  // extern "C"
