// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/passes/passes.hpp"

#include <algorithm>
#include <cctype>

namespace cubind::gen::model {
namespace {

/// The first number after `parameter`, else the last before it: what a length mostly is. Null if there is no number.
const Parameter* likely_length(const Model& model, const Function& function, const Parameter& parameter) {
    const auto is_number = [&](const Parameter& other) {
        const std::string name = resolve_alias(model, other.type.name);
        return other.type.kind == Type::Kind::named && !model.types.contains(name) && other.vendor_name != "flags";
    };
    const Parameter* found = nullptr;
    bool after = false;
    for (const auto& other : function.parameters) {
        if (&other == &parameter) {
            after = true;
        } else if (is_number(other)) {
            found = &other;
            if (after) break;
        }
    }
    return found;
}

std::string propose(const Model& model, const Function& function, const Parameter& parameter) {
    const Type& pointee = *parameter.type.inner;
    const std::string stated = parameter.stated_direction;
    if (pointee.is_void()) return (stated.empty() ? (pointee.is_const ? "in" : "inout") : stated) + " opaque";
    if (pointee.kind == Type::Kind::named && pointee.name == "char") return (stated.empty() ? "out" : stated) + " opaque";
    const Parameter* const length = pointee.is_const || stated == "in" ? likely_length(model, function, parameter) : nullptr;
    const std::string direction = !stated.empty() ? stated : pointee.is_const ? "in" : "out";
    return direction + (length != nullptr ? " array(" + length->vendor_name + ")" : " value");
}

}  // namespace

void ask_for_judgements(Model& model) {
    for (const auto& function : model.functions) {
        for (const auto& parameter : function.parameters) {
            if (!parameter.needs_judgement() || parameter.judgement) continue;
            model.questions.push_back({Question::Kind::judgement, function.symbol, parameter.vendor_name,
                                       print_type(parameter.type, [](const std::string& name) { return name; }),
                                       propose(model, function, parameter)});
        }
    }
}

}  // namespace cubind::gen::model
