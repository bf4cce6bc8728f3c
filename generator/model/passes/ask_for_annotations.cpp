// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "join_strings.hpp"
#include "model/passes/check_annotation.hpp"
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

/// Returns whether the name of a function says that it returns something. Three of four records that other functions receive
/// are inputs, even if the header does not declare them constant.
bool is_named_for_results(const std::string& symbol) {
    static const char* const verbs[] = {"Get",    "Query",    "Enum",   "List", "Read",  "Retain", "Init",
                                        "Create", "Register", "Import", "Open", "Alloc", "Split"};
    return std::any_of(std::begin(verbs), std::end(verbs),
                       [&](const char* verb) { return symbol.find(verb) != std::string::npos; });
}

/// Returns whether the name of a parameter says that it has several elements.
bool is_named_for_several(const std::string& name) {
    return name.ends_with("List") || name.ends_with("Array");
}

/// The annotations that the decided parameters of a library have, by declaration, such as "CUstream* phStream".
using Decided = std::map<std::string, std::set<std::string>>;

Decided decided_annotations(const Model& model) {
    Decided decided;
    for (const auto& function : model.functions) {
        for (const auto& parameter : function.parameters) {
            if (parameter.annotation) decided[declaration_of(parameter)].insert(to_text(*parameter.annotation));
        }
    }
    return decided;
}

/// Returns the annotations that the type and the direction tag allow, most likely first.
std::vector<std::string> allowed(const Model& model, const Function& function, const Parameter& parameter) {
    const Type& pointee = *parameter.type.inner;
    const Parameter* const length = likely_length(function, parameter);
    const auto kind = model.types.find(pointee.name);
    const bool is_handle = pointee.kind == Type::Kind::named && kind != model.types.end() && kind->second == TypeKind::handle;
    std::vector<std::string> directions;
    if (pointee.is_constant()) {
        directions = {"in"};
    } else if (!parameter.stated_direction.empty()) {
        directions = {parameter.stated_direction};
    } else if (pointee.is_void() || is_incomplete(model, pointee)) {
        directions = {"in", "out"};
    } else if (is_handle) {
        directions = {"out"};
        if (parameter.extent != 0) directions = {"in", "out"};
    } else if (is_record(model, pointee)) {
        directions = {"out", "inout", "in"};
        if (!is_named_for_results(function.symbol)) directions = {"in", "inout", "out"};
    } else {
        directions = {"out", "inout"};
    }
    std::vector<std::string> shapes = {parameter.points_to_array ? "array(1)" : "value"};
    if (parameter.extent != 0) {
        shapes = {"array(" + std::to_string(parameter.extent) + ")"};
    } else if (is_incomplete(model, pointee)) {
        shapes = {"opaque"};
        const bool has_size = model.opaque_records.at(resolve_alias(model, pointee.name))->size != 0;
        if (has_size && length != nullptr) shapes.push_back("array(" + length->vendor_name + ")");
    } else if (pointee.is_void()) {
        shapes = {"opaque"};
        if (length != nullptr) shapes.push_back("buffer(" + length->vendor_name + ")");
    } else if (pointee.kind == Type::Kind::named && pointee.name == "char") {
        shapes = {length != nullptr ? "string(" + length->vendor_name + ")" : "opaque"};
        if (pointee.is_const) shapes = {"string", "buffer(" + (length != nullptr ? length->vendor_name : "1") + ")"};
    } else if (length != nullptr && !is_count(parameter)) {
        shapes.push_back("array(" + length->vendor_name + ")");
        if (is_named_for_several(parameter.vendor_name)) std::swap(shapes.front(), shapes.back());
    }
    std::vector<std::string> choices;
    for (const auto& direction : directions) {
        for (const auto& shape : shapes) choices.push_back(direction + " " + shape);
    }
    return choices;
}

/// Returns the possible annotations, separated by "|". parse_annotation rejects a text with "|", so a person has to choose one.
/// The annotations of parameters with the same declaration come first. If the header determines the direction, no others are
/// proposed.
std::string propose(const Model& model, const Decided& decided, const Function& function, const Parameter& parameter) {
    std::vector<std::string> choices;
    const auto siblings = decided.find(declaration_of(parameter));
    if (siblings != decided.end()) {
        for (const auto& text : siblings->second) {
            const Annotation annotation = parse_annotation(text, "");
            const bool contradicts =
                !parameter.stated_direction.empty() && parameter.stated_direction != to_text(annotation.direction);
            if (!contradicts && has_length(function, annotation)) choices.push_back(text);
        }
    }
    const bool has_direction = !parameter.stated_direction.empty() || parameter.type.inner->is_constant();
    if (choices.empty() || !has_direction) {
        for (auto& choice : allowed(model, function, parameter)) {
            if (std::find(choices.begin(), choices.end(), choice) == choices.end()) choices.push_back(std::move(choice));
        }
    }
    return join_strings(choices, " | ");
}

/// Returns whether the answer for another function also answers the question about this function: the other symbol is a shorter
/// form of this one, such as cuMemcpy of cuMemcpy_ptds, and has the same undecided parameter.
bool is_asked_for_shorter_symbol(const std::map<std::string, const Function*>& functions, const Function& function,
                                 const Parameter& parameter) {
    std::string symbol = function.symbol;
    for (std::size_t cut = symbol.rfind('_'); cut != std::string::npos && cut != 0; cut = symbol.rfind('_')) {
        symbol.resize(cut);
        const auto other = functions.find(symbol);
        if (other == functions.end()) continue;
        for (const auto& candidate : other->second->parameters) {
            const bool is_open = candidate.needs_annotation() && !candidate.annotation;
            if (is_open && declaration_of(candidate) == declaration_of(parameter)) return true;
        }
    }
    return false;
}

}  // namespace

void ask_for_annotations(Model& model) {
    const Decided decided = decided_annotations(model);
    std::map<std::string, const Function*> functions;
    for (const auto& function : model.functions) functions.emplace(function.symbol, &function);
    for (const auto& function : model.functions) {
        for (const auto& parameter : function.parameters) {
            if (!parameter.needs_annotation() || parameter.annotation) continue;
            if (is_asked_for_shorter_symbol(functions, function, parameter)) continue;
            model.questions.push_back({Question::Kind::annotation, function.symbol, parameter.vendor_name,
                                       declaration_of(parameter), propose(model, decided, function, parameter)});
        }
    }
}

}  // namespace cubind::gen::model
