// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Receives a mistake that only code above the wrappers can detect, such as arguments that do not match a kernel. Its arguments
/// describe the call that is about to be made: library, symbol, name of the parameter, and a sentence about the mistake. Returns
/// whether the call may be made nevertheless.
using Validator = bool (*)(const char* library, const char* function, const char* parameter, const char* message) noexcept;

CUBIND_EXPORT extern Validator current_validator;  // atomic

/// Returns the installed validator; null while no layer validates, and then callers skip their checks.
inline Validator validator() noexcept {
    return __atomic_load_n(&current_validator, __ATOMIC_RELAXED);
}

/// Installs the validator for the whole process; null removes it. Any thread may call it.
CUBIND_EXPORT void set_validator(Validator validator) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
