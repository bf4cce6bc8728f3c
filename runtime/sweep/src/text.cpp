// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platform/quoted_text.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

std::string visible(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = cubind::detail::utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        const bool is_c1 = length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
        if (first < 0x20 || first == 0x7f) {
            out += "\xe2\x90";  // U+2400 to U+2421
            out += static_cast<char>(0x80 + (first == 0x7f ? 0x21 : first));
        } else if (is_c1 || (length == 0 && first < 0xa0)) {
            out += "\xef\xbf\xbd";  // U+FFFD
        } else if (length == 0) {
            out += static_cast<char>(0xc0 | (first >> 6));
            out += static_cast<char>(0x80 | (first & 0x3f));
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::size_t character_count(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string exact(double number) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string rounded(double number) {
    const double size = std::abs(number);
    if (size != 0 && (size < 1e-4 || size >= 1e15)) {
        char digits[32];
        return {digits, std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific, 3).ptr};
    }
    const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
    char digits[64];
    return {digits,
            std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, std::clamp(4 - before, 0, 4)).ptr};
}

std::string percent(double part) {
    char digits[400];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, part * 100, std::chars_format::fixed, 2).ptr) + " %";
}

std::string key_of(const Configuration& configuration) {
    std::string key;
    for (const Setting& each : configuration) {
        const std::string text = each.value.text();
        key += std::to_string(text.size()) + ':' + text;
    }
    return key;
}

TimeUnit unit_of(double seconds) noexcept {
    if (seconds >= 1) return {"s", 1};
    if (seconds >= 1e-3) return {"ms", 1e3};
    if (seconds >= 1e-6) return {"us", 1e6};
    return {"ns", 1e9};
}

std::string time_text(double seconds) {
    const TimeUnit unit = unit_of(seconds);
    return rounded(seconds * unit.per_second) + ' ' + unit.name;
}

}  // namespace CUBIND_NAMESPACE::profile::detail
