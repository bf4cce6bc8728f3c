// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/text_rules.hpp"

#include <algorithm>
#include <cctype>

#include "spec/json.hpp"

namespace cubind::gen::spec {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool consists_of(std::string_view text, std::string_view further) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [&](char c) { return is_word(c) || further.find(c) != std::string_view::npos; });
}

bool is_identifier(std::string_view text) {
    return consists_of(text, "") && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

bool is_file_name(std::string_view text) {
    return consists_of(text, ".+-") && is_word(text.front());
}

/// Returns whether `accepts` accepts each part of a text between the separators.
bool each_part(std::string_view text, std::string_view separator, bool (*accepts)(std::string_view)) {
    for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
        if (!accepts(text.substr(0, end))) return false;
        text.remove_prefix(end + separator.size());
    }
    return accepts(text);
}

}  // namespace

const TextRule identifier = {"a name of letters, digits and _ that does not begin with a digit", is_identifier};
const TextRule scoped_identifier = {"names of letters, digits and _ with :: between them",
                                    [](std::string_view text) { return each_part(text, "::", is_identifier); }};
const TextRule symbol_pattern = {"a name of letters, digits and _, in which * stands for any characters",
                                 [](std::string_view text) { return consists_of(text, "*"); }};
const TextRule library_name = {"a name of lower-case letters, digits and _ that begins with a letter", [](std::string_view text) {
                                   return is_identifier(text) && text.front() != '_' &&
                                          std::none_of(text.begin(), text.end(),
                                                       [](unsigned char c) { return std::isupper(c) != 0; });
                               }};
const TextRule file_name = {"the name of a file, without a folder, of letters, digits and _ . + -", is_file_name};
const TextRule relative_path = {"a path of names of letters, digits and _ . + - with / between them, without . and ..",
                                [](std::string_view text) { return each_part(text, "/", is_file_name); }};
const TextRule package_name = {"the name of a package of letters, digits and _ . -",
                               [](std::string_view text) { return consists_of(text, ".-") && is_word(text.front()); }};
const TextRule web_address = {
    "an address that begins with https://, without blanks, quotes and backslashes",
    [](std::string_view text) { return text.starts_with("https://") && consists_of(text.substr(8), ".~:/?#@!$&()*+,;=%{}-"); }};
const TextRule prose = {"text without quotes and backslashes",
                        [](std::string_view text) { return text.find_first_of("\"\\") == std::string_view::npos; }};
const TextRule value_or_name = {"a number or a name, possibly after a minus", [](std::string_view text) {
                                    if (text.starts_with('-')) text.remove_prefix(1);
                                    return consists_of(text, ".");
                                }};

void check_text(const std::string& text, const TextRule& rule, const std::string& place) {
    if (rule.accepts(text)) return;
    throw InputError(place + ": " + Json(text).dump() + " is not allowed; write " + rule.allowed);
}

void check_characters(const std::string& text, const std::string& place) {
    if (std::none_of(text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; })) return;
    throw InputError(place + ": " + Json(text).dump() + " holds a control character, such as a newline; remove it");
}

}  // namespace cubind::gen::spec
