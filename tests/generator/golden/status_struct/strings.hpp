// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: names of enumerators, without a call into the library. A value that is not an enumerator of the
/// enum TYPE has the name "unrecognized TYPE".

#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

CUBIND_EXPORT const char* to_string(toyShape value) noexcept;
CUBIND_EXPORT const char* to_string(toyStatus value) noexcept;
/// Returns the library whose functions return this status.
constexpr const char* library_name(toyStatus) noexcept { return "toy"; }
/// Returns what the status means, in a sentence; never null.
CUBIND_EXPORT const char* describe(toyStatus value) noexcept;

/// Returns the name of the status in `err`.
inline const char* to_string(const toyError_t& status) noexcept { return to_string(status.err); }
/// Returns the library whose functions return this status.
constexpr const char* library_name(const toyError_t&) noexcept { return "toy"; }
/// Returns what the status in `err` means, in a sentence; never null.
inline const char* describe(const toyError_t& status) noexcept { return describe(status.err); }

}  // namespace CUBIND_NAMESPACE::toy
