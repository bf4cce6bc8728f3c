// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/substitute.hpp>

#include <cstdlib>
#include <string>

#include "math_test.hpp"

namespace cubind::testing {

/// Returns the message of the error that the call throws while the environment variable names the file as the library. No
/// stand-in for the library may be in place.
template <class Call>
std::string message_with_file(Library& library, EntryPoints entries, const std::string& variable, const char* file, Call call) {
    setenv(variable.c_str(), file, 1);
    substitute(library, entries, nullptr);  // searched again
    std::string message = message_of<Error>(call);
    unsetenv(variable.c_str());
    substitute(library, entries, nullptr);
    return message;
}

}  // namespace cubind::testing
