// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/check_source.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "error.hpp"
#include "join_strings.hpp"
#include "spec/json.hpp"

namespace cubind::gen::kernels {
namespace {

bool has_control_character(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; });
}

/// Returns the text without control characters, for messages.
std::string shown(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
    return text;
}

/// Returns the number of bytes of the UTF-8 character at `at`, or 0 if there is none.
std::size_t character_size(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t index) { return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U; };
    const unsigned first = byte(at);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return 0;
    for (std::size_t index = 1; index < size; ++index) {
        if ((byte(at + index) & 0xC0U) != 0x80) return 0;
    }
    // Longer forms than necessary, surrogates, and what is above the last character.
    const unsigned second = byte(at + 1);
    const bool is_wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                          (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
    return is_wrong ? 0 : size;
}

}  // namespace

void check_source_text(const std::string& text, const std::string& name) {
    unsigned line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const std::string place = name + ":" + std::to_string(line);
        if (text[at] == '\0') {
            throw InputError(place + ": the text holds a zero byte; is it a compiled file? Pass the source");
        }
        if (text[at] == '\n') ++line;
        const std::size_t size = character_size(text, at);
        if (size == 0) throw InputError(place + ": the text is no UTF-8; convert the file to UTF-8");
        at += size;
    }
}

std::string read_source(const std::filesystem::path& file) {
    if (has_control_character(file.string())) {
        throw InputError(shown(file.string()) +
                         ": the name of the file has control characters, which no #include can hold; rename the file");
    }
    std::string text = spec::read_text(file);
    check_source_text(text, file.string());
    if (text.find_first_not_of(" \t\r\n\v\f") == std::string::npos) {
        throw InputError(file.string() + ": the file is empty; it must define a kernel or a variable of the device");
    }
    return text;
}

void check_options(const ReadOptions& options, const std::filesystem::path& file) {
    static const std::set<std::string> standards = {"c++11", "c++14", "c++17", "c++20", "c++23"};
    if (!standards.contains(options.standard)) {
        throw InputError(file.string() + ": the standard " + shown(options.standard) + " is unknown; state one of " +
                         join_strings(standards));
    }
    for (const auto& define : options.defines) {
        const std::size_t end = std::min(define.find('='), define.size());
        const bool is_name = end > 0 && std::isdigit(static_cast<unsigned char>(define[0])) == 0 &&
                             std::all_of(define.begin(), define.begin() + static_cast<std::ptrdiff_t>(end),
                                         [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
        if (!is_name || has_control_character(define)) {
            throw InputError(file.string() + ": the define '" + shown(define) +
                             "' is neither NAME nor NAME=VALUE on one line; correct it");
        }
    }
    for (const auto* folders : {&options.includes, &options.toolkit_includes}) {
        for (const auto& folder : *folders) {
            if (std::filesystem::is_directory(folder)) continue;
            throw InputError(file.string() + ": the include folder " + shown(folder.string()) +
                             " is no folder; pass a folder that holds headers");
        }
    }
}

}  // namespace cubind::gen::kernels
