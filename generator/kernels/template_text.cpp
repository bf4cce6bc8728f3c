// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/template_text.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "error.hpp"
#include "join_strings.hpp"
#include "kernels/constants.hpp"
#include "model/keywords.hpp"

namespace cubind::gen::kernels {
namespace {

std::vector<clang::Cursor> parameters_of(const clang::Cursor& pattern) {
    std::vector<clang::Cursor> found;
    for (const auto& child : pattern.children()) {
        if (child.kind() == CXCursor_TemplateTypeParameter || child.kind() == CXCursor_NonTypeTemplateParameter ||
            child.kind() == CXCursor_TemplateTemplateParameter) {
            found.push_back(child);
        }
    }
    return found;
}

std::string source_of(const clang::Cursor& cursor, const UserFiles& files) {
    const clang::Place start = cursor.start();
    if (start.file == nullptr || !files.is_user(start.file)) return {};
    const std::string& text = files.text(start.file).text();
    return start.offset < text.size() ? text.substr(start.offset, cursor.end().offset - start.offset) : std::string();
}

/// Returns whether every word of the text is a keyword or one of the names.
bool uses_only(const std::string& text, const std::set<std::string>& names) {
    std::string word;
    for (const char c : text + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
        }
        if (!word.empty() && !model::is_keyword(word) && !names.contains(word)) return false;
        word.clear();
    }
    return true;
}

/// Returns the default argument of a template's parameter for the host; empty if there is none that the host can use.
std::string default_argument(const clang::Cursor& parameter, HostTypes& types, const UserFiles& files,
                             const std::set<std::string>& names, const std::string& place) {
    const std::string source = source_of(parameter, files);
    const std::size_t equals = source.find('=');
    if (equals == std::string::npos) return {};
    if (parameter.kind() == CXCursor_NonTypeTemplateParameter) {
        for (const auto& child : parameter.children()) {
            if (clang_isExpression(child.kind()) == 0) continue;
            if (const auto value = child.integer_value()) return literal(parameter.type(), *value, types, place);
        }
    }
    const std::string text = source.substr(source.find_first_not_of(" \t\n", equals + 1));
    return uses_only(text, names) ? text : std::string();
}

}  // namespace

std::string template_parameters(const clang::Cursor& pattern, HostTypes& types, const UserFiles& files,
                                const std::string& place) {
    std::vector<std::string> texts, defaults;
    std::set<std::string> names;
    for (const auto& parameter : parameters_of(pattern)) {
        if (parameter.kind() == CXCursor_TemplateTemplateParameter) {
            throw InputError(place + " has a parameter that is a template; replace it by a type");
        }
        if (source_of(parameter, files).find("...") != std::string::npos) {
            throw InputError(place + " has a parameter pack; state each parameter");
        }
        std::string text = "class";
        if (parameter.kind() == CXCursor_NonTypeTemplateParameter) {
            const std::string written = parameter.type().spelling();
            const bool is_dependent = written == "auto" || names.contains(written);
            text = is_dependent ? written : types.text(parameter.type(), place, false);
        }
        const std::string name = parameter.spelling();
        const bool has_name = !name.empty() && name.find(':') == std::string::npos;  // auto in a function has the name auto:1
        texts.push_back(has_name ? text + " " + name : text);
        defaults.push_back(default_argument(parameter, types, files, names, place));
        names.insert(name);
    }
    // Each parameter after one with a default argument needs one.
    bool is_usable = true;
    for (std::size_t index = texts.size(); index-- > 0;) {
        is_usable = is_usable && !defaults[index].empty();
        if (is_usable) texts[index] += " = " + defaults[index];
    }
    return join_strings(texts);
}

std::string template_arguments(const clang::Cursor& instance, const clang::Cursor& pattern, HostTypes& types,
                               const std::string& place) {
    const std::vector<clang::Cursor> parameters = parameters_of(pattern);
    const std::vector<clang::TemplateArgument> arguments = instance.template_arguments();
    std::vector<std::string> texts;
    for (std::size_t index = 0; index < arguments.size(); ++index) {
        const clang::TemplateArgument& argument = arguments[index];
        if (argument.kind == CXTemplateArgumentKind_Type) {
            texts.push_back(types.text(argument.type, place + ", its template argument", false));
        } else if (argument.kind == CXTemplateArgumentKind_Integral && index < parameters.size()) {
            texts.push_back(literal(parameters[index].type(), argument.value, types, place));
        } else {
            throw InputError(place +
                             " has a template argument that is neither a type nor an integer; use a parameter of the kernel");
        }
    }
    return join_strings(texts);
}

std::string device_arguments(const clang::Cursor& instance, const clang::Cursor& pattern) {
    const std::vector<clang::Cursor> parameters = parameters_of(pattern);
    const std::vector<clang::TemplateArgument> arguments = instance.template_arguments();
    std::vector<std::string> texts;
    for (std::size_t index = 0; index < std::min(arguments.size(), parameters.size()); ++index) {
        const clang::TemplateArgument& argument = arguments[index];
        const std::string cast = "(" + parameters[index].type().canonical().spelling() + ")";
        texts.push_back(argument.kind == CXTemplateArgumentKind_Type ? argument.type.canonical().spelling()
                                                                     : cast + std::to_string(argument.value));
    }
    return join_strings(texts);
}

}  // namespace cubind::gen::kernels
