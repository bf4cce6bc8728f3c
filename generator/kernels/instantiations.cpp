// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/instantiations.hpp"

#include <algorithm>
#include <cctype>

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

}  // namespace

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
