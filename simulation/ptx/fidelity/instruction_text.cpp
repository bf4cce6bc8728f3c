// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/fidelity/instruction_text.hpp"

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

}  // namespace

std::string instruction_text(const Form& form, const Modifiers& modifiers) {
    std::string text(form.opcode);
    for (const std::string_view each : modifiers.all()) text += each;
    Operands operands;
    std::string_view specs = form.operands;
    for (const char* separator = " "; !specs.empty(); separator = ", ") text += separator + operands.next(take_part(specs, ' '));
    return text;
}

std::string builtin_text(std::string_view function) {
    return "call " + std::string(function);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
