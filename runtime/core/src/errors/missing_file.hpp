// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/strings.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Throws LoadError because a file or a program that a function needs is missing or cannot be used.
[[noreturn]] inline void throw_missing_file(const char* library, const char* function, const std::string& why) {
    constexpr auto status = driver::CUDA_ERROR_FILE_NOT_FOUND;
    throw LoadError(library, function, static_cast<int>(status), driver::to_string(status), why);
}

}  // namespace CUBIND_NAMESPACE::detail
