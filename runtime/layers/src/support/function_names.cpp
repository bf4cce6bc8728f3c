// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/function_names.hpp"

#include <stdexcept>

#include "support/libraries.hpp"

namespace CUBIND_NAMESPACE::layers {

std::vector<NamedFunction> functions_named(const std::string& name) {
    std::vector<NamedFunction> exact;
    std::vector<NamedFunction> extending;
    for (auto library = libraries(); *library != nullptr; ++library) {
        for (const reflection::Function& function : (*library)->functions) {
            const std::string symbol = function.symbol;
            if (symbol == name) exact.push_back({*library, &function});
            if (symbol == name || symbol.starts_with(name + "_")) extending.push_back({*library, &function});
        }
    }
    // A symbol with a version selects only itself; a name without version selects all of its versions.
    const bool has_version = name.find('_') != std::string::npos;
    return has_version && !exact.empty() ? exact : extending;
}

std::vector<NamedFunction> known_functions(const std::string& name) {
    auto functions = functions_named(name);
    if (functions.empty()) {
        throw std::invalid_argument("no library has a function " + name +
                                    "; give a symbol such as cuMemAlloc_v2 or a name without version");
    }
    return functions;
}

}  // namespace CUBIND_NAMESPACE::layers
