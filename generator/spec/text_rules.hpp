// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Rules for the texts of library.json and overrides.json that reach generated code, CMake, commands or paths. The readers of the
/// files apply them, so that no other code has to.
namespace cubind::gen::spec {

struct TextRule {
    const char* allowed;  ///< what the rule allows, for messages
    bool (*accepts)(std::string_view text);
};

extern const TextRule identifier;         ///< name in C, such as a macro
extern const TextRule scoped_identifier;  ///< names in C++ with :: between them
extern const TextRule symbol_pattern;     ///< name in C in which * stands for any characters
extern const TextRule library_name;
extern const TextRule file_name;
extern const TextRule relative_path;  ///< names of files with / between them, without . and ..
extern const TextRule package_name;   ///< name on the Python package index
extern const TextRule web_address;
extern const TextRule prose;          ///< text of comments, messages and string literals
extern const TextRule value_or_name;  ///< number or name in C, possibly after a minus

/// Throws InputError with `place`, the text and what is allowed if the rule does not accept the text.
void check_text(const std::string& text, const TextRule& rule, const std::string& place);

/// Throws InputError if the text holds a control character. It applies to all texts of all files.
void check_characters(const std::string& text, const std::string& place);

template <class T>
void check_text(const std::vector<T>& texts, const TextRule& rule, const std::string& place) {
    for (std::size_t index = 0; index < texts.size(); ++index)
        check_text(texts[index], rule, place + "/" + std::to_string(index));
}

/// Checks the values of an object.
template <class T>
void check_text(const std::map<std::string, T>& texts, const TextRule& rule, const std::string& place) {
    for (const auto& [key, text] : texts) check_text(text, rule, place + "/" + key);
}

/// Checks the keys of an object.
template <class T>
void check_keys(const std::map<std::string, T>& object, const TextRule& rule, const std::string& place) {
    for (const auto& entry : object) check_text(entry.first, rule, place);
}

}  // namespace cubind::gen::spec
