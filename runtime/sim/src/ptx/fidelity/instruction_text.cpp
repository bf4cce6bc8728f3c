// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/fidelity/instruction_text.hpp"

#include "ptx/code/step.hpp"
#include "ptx/handlers/common.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// Names the operands in their order.
class Operands {
public:
    std::string next(std::string_view spec) {
        if (spec.starts_with('=')) return destination(spec.substr(1));
        if (spec == "l") return "label";
        if (spec == "T") return "labels";
        if (spec == "m" || spec == "[]") return '[' + source() + ']';
        if (spec == "e" || spec.starts_with('{')) return '{' + source() + '}';
        if (!spec.starts_with('[')) return source();
        const std::string object = source();
        return '[' + object + ", " + source() + ']';
    }

private:
    static std::string destination(std::string_view spec) {
        if (spec == "p|p") return "p|q";
        if (spec == "p") return "p";
        if (spec == "e") return "{d}";
        return spec.find('|') != std::string_view::npos ? "d|p" : "d";
    }
    // "d" is the destination, so it is left out.
    std::string source() { return std::string(1, "abcefghijk"[sources_++ % 10]); }

    unsigned sources_ = 0;
};

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

std::string instruction_text(const Form& form, const Modifiers& modifiers) {
    std::string text(form.opcode);
    for (const std::string_view each : modifiers.all()) text += each;
    Operands operands;
    std::string_view specs = form.operands;
    for (const char* separator = " "; !specs.empty(); separator = ", ") text += separator + operands.next(take_part(specs, ' '));
    return text;
}

std::string instruction_text(const Step& step) {
    if (step.problem != nullptr) return {};
    if (step.special != nullptr) return std::string(step.special->name);
    if (step.form == nullptr) return {};
    if (step.call != nullptr) return step.call->callee != nullptr ? "call function" : "call pointer";
    return instruction_text(*step.form, step.choice.modifiers) + (stores_part_of_double(step) ? " of 64 bits" : "");
}

std::string builtin_text(std::string_view function) {
    return "call " + std::string(function);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
