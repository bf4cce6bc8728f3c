// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <cubind/reflection.hpp>

namespace cubind::layers {

struct NamedFunction {
    const reflection::LibraryDescription* library;
    const reflection::Function* function;
};

/// The function whose symbol this is, or all those whose symbols extend it by "_..."; empty if there are none.
std::vector<NamedFunction> functions_named(const std::string& name);

/// The same; throws std::invalid_argument if there are none.
std::vector<NamedFunction> known_functions(const std::string& name);

}  // namespace cubind::layers
