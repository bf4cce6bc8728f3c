// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "gather.hpp"

namespace cubind::info {

Facts gather() {
    const std::vector<BoundLibrary> libraries = bound_libraries();
    Facts facts;
    facts.libraries.resize(libraries.size());
    // Libraries with releases of their own load libraries of CUDA. They come last, so that those are found as in other programs.
    for (const bool has_own_releases : {false, true}) {
        for (std::size_t i = 0; i < libraries.size(); ++i) {
            if (libraries[i].library.has_own_releases == has_own_releases) facts.libraries[i] = gather_library(libraries[i]);
        }
    }
    facts.driver = gather_driver(facts.library("driver"));
    facts.compiler = gather_compiler(facts.library("nvrtc"));
    facts.toolkits = gather_toolkits(libraries);
    return facts;
}

}  // namespace cubind::info
