// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/ptx_text.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::detail {

constexpr std::size_t npos = std::string_view::npos;

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string without_comments(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find("//"), text.find("/*"));
        result.append(text.substr(0, begin));
        if (begin == npos) break;
        const bool is_line = text[begin + 1] == '/';
        const std::size_t end = text.find(is_line ? "\n" : "*/", begin + 2);
        text = end == npos ? std::string_view() : text.substr(end + (is_line ? 0 : 2));
    }
    return result;
}

bool is_in_name(char character) noexcept {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || character == '_' || character == '$' || character == '%';
}

bool contains_word(std::string_view text, std::string_view word) noexcept {
    for (std::size_t at = text.find(word); at != npos; at = text.find(word, at + 1)) {
        if (at + word.size() == text.size() || !is_in_name(text[at + word.size()])) return true;
    }
    return false;
}

}  // namespace CUBIND_NAMESPACE::detail
