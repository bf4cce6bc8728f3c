// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "options/architecture.hpp"

#include <cubind/core/device.hpp>
#include <cubind/error.hpp>

#include <charconv>

namespace CUBIND_NAMESPACE::detail {

std::optional<Architecture> parse_architecture(std::string_view text) {
    Architecture found = {.number = 0, .suffix = '\0', .is_virtual = text.starts_with("compute_")};
    if (!found.is_virtual && !text.starts_with("sm_")) return std::nullopt;
    text.remove_prefix(text.find('_') + 1);
    if (text.ends_with('a') || text.ends_with('f')) {
        found.suffix = text.back();
        text.remove_suffix(1);
    }
    // Two or three digits: 9.0 is 90 and 10.0 is 100.
    const bool has_length = text.size() == 2 || text.size() == 3;
    if (!has_length || text.front() == '0' || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    std::from_chars(text.data(), text.data() + text.size(), found.number);
    return found;
}

std::string current_architecture(const char* owner) {
    try {
        return std::string("sm_").append(Device().arch());
    } catch (const Error& failure) {
        std::string advice(owner);
        advice.append(
            "::arch is empty, so the architecture of the current device was queried. Without a device, set it, e.g. to "
            "\"sm_90\"");
        throw Error(failure, advice);
    }
}

}  // namespace CUBIND_NAMESPACE::detail
