// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platform/quoted_text.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

std::string visible(std::string_view text) {
    std::string utf8, out;
    cubind::detail::append_utf8(utf8, text);
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        if (byte < 0x20 || byte == 0x7f) {
            out += "\xe2\x90";  // U+2400 to U+2421
            out += static_cast<char>(0x80 + (byte == 0x7f ? 0x21 : byte));
        } else if (byte == 0xc2 && static_cast<unsigned char>(utf8[i + 1]) < 0xa0) {  // U+0080 to U+009F
            out += "\xef\xbf\xbd";                                                    // U+FFFD
            ++i;
        } else {
            out += utf8[i];
        }
    }
    return out;
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
    std::string text;
    cubind::detail::append_decimal(text, part * 100, 2);
    return text + " %";
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
