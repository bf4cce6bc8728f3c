// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/environment.hpp"

#include <cerrno>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::detail {

const char* environment_variable(const char* name) noexcept {
    return ::secure_getenv(name);
}

int set_environment_variable(const char* name, const char* value) noexcept {
    return ::setenv(name, value, 1) == 0 ? 0 : errno;
}

char** environment_entries() noexcept {
    return ::getauxval(AT_SECURE) == 0 ? environ : nullptr;
}

}  // namespace CUBIND_NAMESPACE::detail
