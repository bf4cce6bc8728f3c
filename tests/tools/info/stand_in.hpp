// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

/// Returns the number in an environment variable, or the default if the variable is not set.
inline int number_from(const char* variable, int default_value) {
    const char* const value = std::getenv(variable);
    return value != nullptr ? std::atoi(value) : default_value;
}
