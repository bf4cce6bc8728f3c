// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"

namespace cubind::info {

const LibraryFacts& Facts::library(const std::string& name) const {
    static const LibraryFacts none;
    for (const auto& each : libraries) {
        if (each.name == name) return each;
    }
    return none;
}

}  // namespace cubind::info
