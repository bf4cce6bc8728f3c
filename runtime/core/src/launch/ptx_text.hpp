// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

/// Parts of PTX text.
namespace CUBIND_NAMESPACE::detail {

/// Returns the text without blanks at its ends.
std::string_view trimmed(std::string_view text) noexcept;

/// Returns the text without comments.
std::string without_comments(std::string_view text);

/// Returns whether the character can be in a name.
bool is_in_name(char character) noexcept;

/// Returns whether the text contains the word, which no character of a name follows.
bool contains_word(std::string_view text, std::string_view word) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
