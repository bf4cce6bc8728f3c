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

}  // namespace cubind::gen::extract
