// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "gather.hpp"

namespace cubind::info {

Facts gather() {
    const std::vector<BoundLibrary> libraries = bound_libraries();
    Facts facts;
    for (const auto& bound : libraries) facts.libraries.push_back(gather_library(bound));
    facts.driver = gather_driver(facts.library("driver"));
    facts.compiler = gather_compiler(facts.library("nvrtc"));
    facts.toolkits = gather_toolkits(libraries);
    return facts;
}

}  // namespace cubind::info
