// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/type_text.hpp"

namespace cubind::gen::extract {

std::string type_text(const clang::Type& type) {
    std::string text = type.spelling();
    for (const std::string keyword : {"struct ", "union ", "enum "}) {
        for (std::size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at)) {
            const bool whole_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == ',';
            if (whole_word) {
                text.erase(at, keyword.size());
            } else {
                at += keyword.size();
            }
        }
    }
    return text;
}

std::string parameter_type_text(const clang::Type& type) {
    if (!type.is_array()) return type_text(type);
    const std::string text = type_text(type.array_element());
    // The pointer to an array or to a function has its asterisk in the middle.
    if (text.find_first_of("[(") != std::string::npos) return type_text(type);
    return text + (text.ends_with('*') ? "*" : " *");
}

}  // namespace cubind::gen::extract
