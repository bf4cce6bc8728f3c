// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/quoted_text.hpp"

#include <algorithm>
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

void append_utf8(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length != 0) {
            out += text.substr(0, length);
        } else {
            out += static_cast<char>(0xc0 | (first >> 6));
            out += static_cast<char>(0x80 | (first & 0x3f));
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
}

std::size_t character_count(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char each) { return (each & 0xc0) != 0x80; }));
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows, bool is_last_left) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], character_count(row[i]));
    }
    if (is_last_left && !widths.empty()) widths.back() = 0;
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string& line = lines.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) line += "  ";
            const std::size_t width = character_count(row[i]);
            line.append(widths[i] > width ? widths[i] - width : 0, ' ').append(row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
    }
    return lines;
}

void append_csv_field(std::string& out, std::string_view text) {
    const bool is_first = out.empty() || out.back() == '\n';
    if (!is_first) out += ',';
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text.empty() && is_first ? "\"\"" : text;  // an empty line would have no field
        return;
    }
    out += '"';
    for (const char each : text) out.append(each == '"' ? 2 : 1, each);
    out += '"';
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

void append_decimal(std::string& out, double number, int decimals) {
    char digits[400];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, decimals).ptr);
}

std::string exact_text(double number) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

void append_microseconds(std::string& out, long long nanoseconds) {
    append_decimal(out, static_cast<double>(nanoseconds) / 1e3, 3);
}

}  // namespace CUBIND_NAMESPACE::detail
