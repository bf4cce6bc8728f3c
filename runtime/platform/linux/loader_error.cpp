// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/loader_error.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <libintl.h>
#include <new>
#include <system_error>

namespace CUBIND_NAMESPACE::detail {

namespace {

// Returns the text of glibc in the language of the process.
std::string in_language_of_process(const char* text) {
    return dgettext("libc", text);
}

// Returns whether the text states that an allocation failed. glibc mostly ends it with the text of an errno.
bool states_exhaustion(const std::string& text) {
    for (const int each : {ENOMEM, EMFILE, ENFILE}) {
        if (text.ends_with(std::generic_category().message(each))) return true;
    }
    for (const char* const each : {"out of memory", "cannot create shared object descriptor"}) {
        if (text.ends_with(each) || text.ends_with(in_language_of_process(each))) return true;
    }
    return false;
}

}  // namespace

std::string take_loader_error(const std::string& existing_file) {
    const char* const error = dlerror();
    std::string text = error != nullptr ? error : "the OS loader gave no reason";
    if (states_exhaustion(text)) throw std::bad_alloc();
    // Without memory for the path, glibc states that the file cannot be opened, and any errno.
    constexpr const char* not_opened = "cannot open shared object file";
    for (const std::string& each : {std::string(not_opened), in_language_of_process(not_opened)}) {
        if (!existing_file.empty() && text.starts_with(existing_file + ": " + each)) throw std::bad_alloc();
    }
    return text;
}

}  // namespace CUBIND_NAMESPACE::detail
