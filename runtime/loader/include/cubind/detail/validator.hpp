// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::detail {

/// Is told of a mistake that only code above the wrappers can see, such as arguments that are not a kernel's, by the call that is about to
/// be made: library, symbol, the parameter's name, and a sentence. Returns whether the call may be made all the same.
using Validator = bool (*)(const char* library, const char* function, const char* parameter, const char* message) noexcept;

extern Validator current_validator;  // atomic

/// Who wants to know; null while no layer validates, so that looking for mistakes costs nothing more.
inline Validator validator() noexcept {
    return __atomic_load_n(&current_validator, __ATOMIC_RELAXED);
}

/// Sets who wants to know; null: nobody. Any thread may call it.
void set_validator(Validator validator) noexcept;

}  // namespace cubind::detail
