// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "error.hpp"
#include "model/passes/passes.hpp"
#include "spec/release.hpp"

namespace cubind::gen::model {

void delay_functions(Model& model) {
    const auto& releases = model.facts.releases;
    for (const auto& [symbol, release] : model.overrides.exported_since) {
        const std::string place = model.place + "/overrides.json: exported_since/" + symbol + ": ";
        const auto function = std::find_if(model.facts.functions.begin(), model.facts.functions.end(),
                                           [&wanted = symbol](const spec::Function& each) { return each.name == wanted; });
        if (function == model.facts.functions.end()) {
            throw InputError(place + "the headers have no function of this name; remove the line");
        }
        if (std::find(releases.begin(), releases.end(), release) == releases.end()) {
            throw InputError(place + "the spec has no release " + release + "; correct it");
        }
        if (!spec::EarlierRelease()(function->since, release)) {
            throw InputError(place + release + " is not later than " + function->since +
                             ", the first release that declares the function; remove the line");
        }
        function->since = release;
    }
}

}  // namespace cubind::gen::model
