// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "spec/facts.hpp"

namespace cubind::gen::diff {

/// Returns the type that the header declares for a parameter: "int[3]" if api.json has the pointer to the first of 3 elements.
inline std::string declared_type(const spec::Parameter& parameter) {
    std::string text = parameter.type;
    const std::size_t star = text.rfind('*');
    if (parameter.extent == 0 || star == std::string::npos) return text;
    const std::string extent = "[" + std::to_string(parameter.extent) + "]";
    const std::size_t in_parentheses = text.find(" (*)");
    if (in_parentheses != std::string::npos) return text.replace(in_parentheses, 4, extent);
    text.erase(star);
    if (text.ends_with(' ')) text.pop_back();
    return text + extent;
}

/// Returns the C types of a function or callback: "CUresult (CUdeviceptr *, size_t)".
template <class Callable>
std::string signature(const Callable& callable) {
    std::string text = callable.returns + " (";
    for (const auto& parameter : callable.parameters) {
        if (&parameter != &callable.parameters.front()) text += ", ";
        text += declared_type(parameter);
    }
    if constexpr (requires { callable.is_variadic; }) {
        if (callable.is_variadic) text += callable.parameters.empty() ? "..." : ", ...";
    }
    return text + ")";
}

}  // namespace cubind::gen::diff
