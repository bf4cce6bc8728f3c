// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Text from outside, such as names of files and kernels, in outputs that must be UTF-8.
namespace CUBIND_NAMESPACE::detail {

/// Returns the length of the UTF-8 sequence at the start of the text, which must not be empty; 0 if there is none.
[[nodiscard]] CUBIND_EXPORT std::size_t utf8_length(std::string_view text) noexcept;

/// Appends the text in quotes, with escapes that are valid in both C++ and JSON, then `after` and the closing quote. Bytes
/// that are not UTF-8 are written as their Latin-1 characters.
CUBIND_EXPORT void append_quoted(std::string& out, std::string_view text, std::string_view after = "");

/// Appends a number of nanoseconds as microseconds with three decimals, independently of the decimal point of the program's
/// locale.
CUBIND_EXPORT void append_microseconds(std::string& out, long long nanoseconds);

}  // namespace CUBIND_NAMESPACE::detail
