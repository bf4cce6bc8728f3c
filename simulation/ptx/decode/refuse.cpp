// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/decode/passes.hpp"
#include "ptx/decode/step_text.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

std::string refusal(std::string_view instruction, const Classification& found, Fidelity required) {
    return std::string(instruction) + " has the fidelity \"" + name_of(found.fidelity) + "\" (" + found.reason + "), but \"" +
           name_of(required) + "\" is required (CUBIND_SIM_FIDELITY_REQUIRE, Options::required_fidelity)";
}

void refuse(Steps& steps, Fidelity required) {
    for (Step& step : steps.all) {
        const std::string text = instruction_text(step);
        if (text.empty()) continue;
        const Classification found = classify(text);
        if (found.fidelity > required) step.fail(refusal(text, found, required));
    }
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
