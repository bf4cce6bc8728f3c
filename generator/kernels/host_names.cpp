// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_names.hpp"

#include <algorithm>
#include <cctype>

#include "model/keywords.hpp"

namespace cubind::gen::kernels {

std::vector<std::string> namespaces_of(const clang::Cursor& declaration) {
    std::vector<std::string> names;
    for (clang::Cursor parent = declaration.parent(); parent.kind() != CXCursor_TranslationUnit && !parent.is_null();
         parent = parent.parent()) {
        if (parent.kind() != CXCursor_Namespace || parent.is_inline_namespace()) continue;
        const std::string name = parent.spelling();
        if (!name.empty() && !clang::names_unnamed(name)) names.push_back(name);
    }
    std::reverse(names.begin(), names.end());
    return names;
}

std::string join_names(const std::vector<std::string>& namespaces, const std::string& name) {
    std::string text;
    for (const auto& each : namespaces) text += each + "::";
    return text + name;
}

std::string qualified_name(const clang::Cursor& declaration) {
    return join_names(namespaces_of(declaration), declaration.spelling());
}

std::string legal_name(const std::string& text) {
    std::string name;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_word = std::isalnum(byte) != 0 || byte >= 0x80;  // C++ allows letters of all languages
        if (is_word || (!name.empty() && name.back() != '_')) name += is_word ? c : '_';
    }
    while (name.ends_with('_') && !text.ends_with('_')) name.pop_back();
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "x");
    return model::is_keyword(name) ? name + "_" : name;
}

}  // namespace cubind::gen::kernels
