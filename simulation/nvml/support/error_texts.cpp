// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/error_texts.hpp"

#include <cubind/nvml/strings.hpp>

#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace CUBIND_NAMESPACE::sim::management {

namespace {

constexpr std::size_t max_known = NVML_ERROR_RESET_TYPE_NOT_SUPPORTED + 1;
constexpr std::size_t max_length = 64;
constexpr std::string_view prefixes[] = {"NVML_ERROR_", "NVML_"};

struct Text {
    char characters[max_length];
};

Text words_of(nvmlReturn_t status) noexcept {
    Text text = {};
    std::string_view name = to_string(status);
    for (const std::string_view prefix : prefixes) {
        if (name.substr(0, prefix.size()) == prefix) name.remove_prefix(prefix.size());
    }
    bool is_first = true;
    for (std::size_t i = 0; i < name.size() && i + 1 < max_length; ++i) {
        const auto letter = static_cast<unsigned char>(name[i]);
        text.characters[i] = name[i] == '_' ? ' ' : static_cast<char>(is_first ? letter : std::tolower(letter));
        is_first = name[i] == '_';
    }
    return text;
}

std::array<Text, max_known> all_texts() noexcept {
    std::array<Text, max_known> texts;
    for (std::size_t i = 0; i < max_known; ++i) texts[i] = words_of(static_cast<nvmlReturn_t>(i));
    return texts;
}

}  // namespace

const char* text_of(nvmlReturn_t status) noexcept {
    static const std::array<Text, max_known> texts = all_texts();
    const auto number = static_cast<std::size_t>(status);
    return number < max_known ? texts[number].characters : "Unknown Error";
}

}  // namespace CUBIND_NAMESPACE::sim::management
