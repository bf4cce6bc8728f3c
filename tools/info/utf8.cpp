// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "utf8.hpp"

namespace cubind::info {
namespace {

struct Range {
    unsigned char low, high;
};

bool is_in(unsigned char byte, Range range) {
    return range.low <= byte && byte <= range.high;
}

// Range of the first byte, number of following bytes, and range of the second byte, which excludes surrogates and overlong forms.
struct Form {
    Range first;
    std::size_t following;
    Range second;
};

constexpr Form forms[] = {
    {{0x00, 0x7f}, 0, {0x80, 0xbf}}, {{0xc2, 0xdf}, 1, {0x80, 0xbf}}, {{0xe0, 0xe0}, 2, {0xa0, 0xbf}},
    {{0xe1, 0xec}, 2, {0x80, 0xbf}}, {{0xed, 0xed}, 2, {0x80, 0x9f}}, {{0xee, 0xef}, 2, {0x80, 0xbf}},
    {{0xf0, 0xf0}, 3, {0x90, 0xbf}}, {{0xf1, 0xf3}, 3, {0x80, 0xbf}}, {{0xf4, 0xf4}, 3, {0x80, 0x8f}},
};

}  // namespace

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (const Form& form : forms) {
        if (text.size() <= form.following || !is_in(byte(0), form.first)) continue;
        if (form.following >= 1 && !is_in(byte(1), form.second)) return 0;
        for (std::size_t at = 2; at <= form.following; ++at) {
            if (!is_in(byte(at), {0x80, 0xbf})) return 0;
        }
        return form.following + 1;
    }
    return 0;
}

}  // namespace cubind::info
