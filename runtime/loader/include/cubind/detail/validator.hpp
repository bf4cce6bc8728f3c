// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// A function that receives mistakes which only code above the wrappers can detect, such as arguments that do not match a kernel.
/// Its arguments are the library, the symbol and the parameter of the call that the caller is about to make, and a sentence about
/// the mistake. Returns whether the caller may make the call nevertheless.
using Validator = bool (*)(const char* library, const char* function, const char* parameter, const char* message) noexcept;

CUBIND_EXPORT extern Validator current_validator;  // atomic

/// Returns the installed validator, or null if no layer validates. Callers skip their checks if it is null.
inline Validator validator() noexcept {
    return __atomic_load_n(&current_validator, __ATOMIC_RELAXED);
}

/// Installs the validator for the whole process; null removes it. Any thread may call it.
CUBIND_EXPORT void set_validator(Validator validator) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
