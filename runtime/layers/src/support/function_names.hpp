// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/reflection.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::layers {

/// A function and its library.
struct NamedFunction {
    const reflection::LibraryDescription* library;
    const reflection::Function* function;
};

/// Returns the function with this symbol, or all functions whose symbols extend the name by "_..."; empty if there are none.
std::vector<NamedFunction> functions_named(const std::string& name);

/// Returns functions_named(name); throws std::invalid_argument if there are none.
std::vector<NamedFunction> known_functions(const std::string& name);

}  // namespace CUBIND_NAMESPACE::layers
