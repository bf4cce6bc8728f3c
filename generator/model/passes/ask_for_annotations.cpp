// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// Returns whether a parameter may be a count: an integer, or a pointer to an integer that the call fills in.
bool is_count(const Parameter& parameter) {
    static const std::set<std::string> counts = {"size_t", "int", "unsigned int", "unsigned long long", "uint32_t", "uint64_t"};
    const Type& type = parameter.type.is_pointer() ? *parameter.type.inner : parameter.type;
    return type.kind == Type::Kind::named && !type.is_const && counts.contains(type.name) && parameter.vendor_name != "flags";
}

/// Returns the most likely length of `parameter`: the first count after it, else the last count before it. Null if there is none.
const Parameter* likely_length(const Function& function, const Parameter& parameter) {
    const Parameter* found = nullptr;
    bool after = false;
    for (const auto& other : function.parameters) {
        if (&other == &parameter) {
            after = true;
        } else if (is_count(other)) {
            found = &other;
            if (after) break;
        }
    }
    return found;
}

/// Returns the possible annotations, separated by "|". parse_annotation rejects a text with "|", so a person has to choose one.
std::string propose(const Function& function, const Parameter& parameter) {
    const Type& pointee = *parameter.type.inner;
    const Parameter* const length = likely_length(function, parameter);
    std::vector<std::string> directions = {parameter.stated_direction};
    if (parameter.stated_direction.empty() || pointee.is_const)
        directions = pointee.is_const ? std::vector<std::string>{"in"} : std::vector<std::string>{"in", "out"};
    std::vector<std::string> shapes = {"value"};
    if (pointee.is_void()) {
        shapes = {"opaque"};
        if (length != nullptr) shapes.push_back("buffer(" + length->vendor_name + ")");
    } else if (pointee.kind == Type::Kind::named && pointee.name == "char") {
        shapes = {length != nullptr ? "string(" + length->vendor_name + ")" : "opaque"};
    } else if (length != nullptr && !is_count(parameter)) {
        shapes.push_back("array(" + length->vendor_name + ")");
    }
    if (!pointee.is_void() && parameter.stated_direction.empty() && !pointee.is_const) directions = {"out"};
    std::string choices;
    for (const auto& direction : directions) {
        for (const auto& shape : shapes) choices += (choices.empty() ? "" : " | ") + direction + " " + shape;
    }
    return choices;
}

}  // namespace

void ask_for_annotations(Model& model) {
    for (const auto& function : model.functions) {
        for (const auto& parameter : function.parameters) {
            if (!parameter.needs_annotation() || parameter.annotation) continue;
            model.questions.push_back({Question::Kind::annotation, function.symbol, parameter.vendor_name,
                                       print_type(parameter.type, [](const std::string& name) { return name; }),
                                       propose(function, parameter)});
        }
    }
}

}  // namespace cubind::gen::model
