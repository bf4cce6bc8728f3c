// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/options/option_check.hpp"

#include <cubind/detail/ptx_isa.hpp>

#include "errors/misuse.hpp"
#include "program/options/architecture.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string in_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\' || letter == '\0') quoted += '\\';
        quoted += letter == '\0' ? '0' : letter;
    }
    return quoted += '"';
}

void OptionCheck::refuse(const char* option, const std::string& value, const char* allowed) const {
    throw_misuse(owner_, "::", option, " is ", value, ": ", allowed);
}

void OptionCheck::architecture(const char* option, const std::string& value) const {
    if (value.empty() || parse_architecture(value)) return;
    refuse(option, in_quotes(value),
           "sm_ or compute_ and a number is allowed, optionally with a or f behind it, e.g. sm_90, sm_90a or compute_100f.");
}

void OptionCheck::at_least(int minimum, const char* option, std::optional<int> value) const {
    if (!value || *value >= minimum) return;
    refuse(option, std::to_string(*value),
           minimum == 0 ? "0 and larger numbers are allowed." : "1 and larger numbers are allowed.");
}

void OptionCheck::at_least(int minimum, const char* option, const std::vector<int>& values) const {
    for (const int value : values) at_least(minimum, option, std::optional<int>(value));
}

void OptionCheck::text(const char* option, const std::string& value) const {
    if (value.find('\0') != std::string::npos) refuse(option, in_quotes(value), "text without NUL is allowed.");
}

void OptionCheck::texts(const char* option, const std::vector<std::string>& values) const {
    for (const std::string& value : values) {
        if (value.empty()) refuse(option, "\"\" in one element", "text that is not empty is allowed.");
        text(option, value);
    }
}

void OptionCheck::release(const char* option, const std::string& flag, const char* tool, int since, int version) const {
    if (version == 0 || version >= since) return;
    throw_misuse(owner_, "::", option, " (", flag, ") needs ", tool, " of CUDA ", release_text(since),
                 " or newer, but this one is of CUDA ", release_text(version),
                 ": do not set the option, or use a newer release.");
}

}  // namespace CUBIND_NAMESPACE::detail
