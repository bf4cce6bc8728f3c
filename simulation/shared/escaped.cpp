// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/escaped.hpp"

#include <algorithm>
#include <cstddef>

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr bool is_continuation(unsigned char byte) noexcept {
    return (byte & 0xc0) == 0x80;
}

// Returns the number of bytes of the character of UTF-8 at the beginning of a text, or 0 if there is none or it is a control
// character.
std::size_t printable_bytes(std::string_view text) noexcept {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = at(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if (!is_continuation(static_cast<unsigned char>(at(i)))) return 0;
    }
    // Second forms of shorter characters, surrogates, and numbers beyond the last character.
    const unsigned second = at(1);
    const bool is_invalid = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                            (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    const bool is_control = first == 0xc2 && second < 0xa0;
    return is_invalid || is_control ? 0 : size;
}

}  // namespace

std::string escaped(std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = printable_bytes(text);
        if (bytes == 0) {
            const auto byte = static_cast<unsigned char>(text.front());
            result.append("\\x").append({digits[byte / 16], digits[byte % 16]});
        }
        result.append(text.substr(0, bytes));
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return result;
}

}  // namespace CUBIND_NAMESPACE::sim
