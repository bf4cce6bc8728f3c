// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/instantiations.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "error.hpp"

namespace cubind::gen::kernels {
namespace {

/// Returns whether the text is a name and a list of arguments, and has no character that could end the variable around it.
bool is_instance(const std::string& text) {
    const std::size_t open = text.find('<');
    if (open == std::string::npos || open == 0 || !text.ends_with('>')) return false;
    const bool is_name = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open),
                                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ':' || c == ' '; });
    const bool is_plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::iscntrl(c) == 0 && std::string_view(";{}#\\\"@`").find(static_cast<char>(c)) == std::string_view::npos;
    });
    return is_name && is_plain && text.find("//") == std::string::npos && text.find("/*") == std::string::npos;
}

/// Returns the name with template arguments before the parameters of a function; empty if it has no such arguments.
std::string instance_in(std::string_view statement) {
    int depth = 0;
    std::size_t at = statement.rfind(')');
    for (; at != std::string_view::npos && at > 0; --at) {
        if (statement[at] == ')') ++depth;
        if (statement[at] == '(' && --depth == 0) break;
    }
    if (at == std::string_view::npos || at == 0) return {};
    const std::size_t end = statement.find_last_not_of(" \t\r\n", at - 1);
    if (end == std::string_view::npos || statement[end] != '>') return {};
    depth = 0;
    for (at = end; at > 0; --at) {
        if (statement[at] == '>') ++depth;
        if (statement[at] == '<' && --depth == 0) break;
    }
    const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; };
    while (at > 0 && is_name(statement[at - 1])) --at;
    const std::string instance(statement.substr(at, end + 1 - at));
    return is_instance(instance) ? instance : std::string();
}

}  // namespace

std::string with_explicit_instantiations(const std::string& source) {
    const std::string keyword = "template";
    std::string text;
    std::size_t copied = 0, count = 0;
    for (std::size_t at = source.find(keyword); at != std::string::npos; at = source.find(keyword, at + 1)) {
        const std::size_t end = source.find_first_of(";{}", at);
        if (end == std::string::npos || source[end] != ';') continue;
        const std::string_view statement = std::string_view(source).substr(at, end - at);
        if (statement.find("__global__") > statement.find('<')) continue;  // the declaration of a template, or neither
        const std::string instance = instance_in(statement);
        if (instance.empty()) continue;
        text.append(source, copied, end + 1 - copied);
        copied = end + 1;
        text += " auto* " + (explicit_instantiation_variable + std::to_string(count++)) + " = &" + instance + ";";
    }
    return text.append(source, copied);
}

std::string instantiation_variable(std::size_t index) {
    return "cubind_instance_" + std::to_string(index);
}

std::string instantiation_lines(const std::vector<std::string>& instantiations, const std::filesystem::path& file) {
    std::string lines;
    for (std::size_t index = 0; index < instantiations.size(); ++index) {
        const std::string& text = instantiations[index];
        if (!is_instance(text)) {
            std::string shown = text;
            std::replace_if(
                shown.begin(), shown.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
            throw InputError(file.string() + ": the instantiation '" + shown +
                             "' is no name of a kernel template with arguments; write it as in scale<float, 4>");
        }
        lines += "auto* " + instantiation_variable(index) + " = &" + text + ";\n";
    }
    return lines;
}

}  // namespace cubind::gen::kernels
