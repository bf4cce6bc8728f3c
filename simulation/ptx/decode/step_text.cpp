// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/decode/step_text.hpp"

#include "ptx/fidelity/instruction_text.hpp"
#include "ptx/handlers/common.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// ptxas converts such a register, and the simulation does not. A cache policy may follow the values.
bool stores_part_of_double(const Step& step) {
    const Choice& choice = step.choice;
    if (step.form->opcode != "st" || choice.modifiers.type() != ".f32") return false;
    const unsigned begin = choice.pointer_bytes != 0 ? 1 : 0;
    for (unsigned i = begin; i < begin + choice.modifiers.vector_length(); ++i) {
        if (choice.bytes[i] == 8) return true;
    }
    return false;
}

}  // namespace

std::string instruction_text(const Step& step) {
    if (step.problem != nullptr) return {};
    if (step.special != nullptr) return std::string(step.special->name);
    if (step.form == nullptr) return {};
    if (step.call != nullptr) return step.call->callee != nullptr ? "call function" : "call pointer";
    return instruction_text(*step.form, step.choice.modifiers) + (stores_part_of_double(step) ? " of 64 bits" : "");
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
