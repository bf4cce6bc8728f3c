// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text from outside, such as names of files and kernels, in outputs that must be UTF-8, and numbers in them, whose decimal point
/// is that of the C locale.
namespace CUBIND_NAMESPACE::detail {

/// Returns the length of the UTF-8 sequence at the start of the text, which must not be empty; 0 if there is none.
[[nodiscard]] CUBIND_EXPORT std::size_t utf8_length(std::string_view text) noexcept;

/// Appends the text. Bytes that are not UTF-8 are written as their Latin-1 characters.
CUBIND_EXPORT void append_utf8(std::string& out, std::string_view text);

/// Returns the number of characters of UTF-8.
[[nodiscard]] CUBIND_EXPORT std::size_t character_count(std::string_view text) noexcept;

/// Returns rows of UTF-8 as lines: columns are two spaces apart and end at the same place, and the last one begins at the same
/// place if it is `is_last_left`. Rows may have fewer cells than others.
[[nodiscard]] CUBIND_EXPORT std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                                             bool is_last_left);

/// Appends a field to the last line of comma-separated values (RFC 4180).
CUBIND_EXPORT void append_csv_field(std::string& out, std::string_view text);

/// Appends the text in quotes, with escapes that are valid in both C++ and JSON, then `after` and the closing quote. Bytes
/// that are not UTF-8 are written as their Latin-1 characters.
CUBIND_EXPORT void append_quoted(std::string& out, std::string_view text, std::string_view after = "");

/// Appends a number with this number of decimals.
CUBIND_EXPORT void append_decimal(std::string& out, double number, int decimals);

/// Returns the number with the fewest digits that restore it.
[[nodiscard]] CUBIND_EXPORT std::string exact_text(double number);

/// Appends a number of nanoseconds as microseconds with three decimals.
CUBIND_EXPORT void append_microseconds(std::string& out, long long nanoseconds);

}  // namespace CUBIND_NAMESPACE::detail
