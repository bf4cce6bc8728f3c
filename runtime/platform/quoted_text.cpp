// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/quoted_text.hpp"

#include <charconv>
#include <cstdio>

namespace CUBIND_NAMESPACE::detail {

std::size_t utf8_length(std::string_view text) noexcept {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t index = 1; index < length; ++index) {
        if ((static_cast<unsigned char>(text[index]) & 0xc0) != 0x80) return 0;
    }
    // Some second bytes make the sequence overlong, a surrogate, or larger than the last character.
    const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
    const bool is_wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
                          (lead == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : length;
}

void append_quoted(std::string& out, std::string_view text, std::string_view after) {
    out += '"';
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char first = text.front();
        if (first == '"' || first == '\\') {
            out += '\\';
            out += first;
        } else if (first == '\n') {
            out += "\\n";
        } else if (first == '\t') {
            out += "\\t";
        } else if (length == 0 || static_cast<unsigned char>(first) < 0x20 || first == 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(first)));
            out += escape;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += after;
    out += '"';
}

void append_microseconds(std::string& out, long long nanoseconds) {
    char digits[32];
    const auto written =
        std::to_chars(digits, digits + sizeof digits, static_cast<double>(nanoseconds) / 1e3, std::chars_format::fixed, 3);
    out.append(digits, written.ptr);
}

}  // namespace CUBIND_NAMESPACE::detail
