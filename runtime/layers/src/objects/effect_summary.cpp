// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/effect_summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "support/libraries.hpp"
#include "values/arguments.hpp"

namespace CUBIND_NAMESPACE::layers {

namespace {

using EffectSummaries = std::vector<std::vector<EffectSummary>>;

bool holds_handle(const Type& type, int depth) {
    if (type.kind == Kind::handle) return true;
    if (type.kind != Kind::record || depth == 0) return false;
    return std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const reflection::Field& field) { return holds_handle(*field.type, depth - 1); });
}

const Type& object_type(const reflection::Function& function, unsigned char parameter) {
    const Type& type = *function.parameters[parameter].type;
    return type.kind == Kind::pointer ? *type.inner : type;
}

// The parent types of a library: destroying an object of such a type also destroys other objects.
struct ParentTypes {
    std::set<std::string_view> all;                             ///< contexts, and the parents that `within` of an effect names
    std::map<std::string_view, std::set<std::string_view>> of;  ///< type of an object to the types of its parents in `within`
    /// Types of objects that are looked up by name in their parent, and of objects whose parent has such a type.
    std::set<std::string_view> named;
};

ParentTypes parent_types(const reflection::LibraryDescription& library) {
    ParentTypes types;
    if (library.current_context != nullptr) types.all.insert(object_type(*library.current_context, 0).name);
    for (const reflection::Function& function : library.functions) {
        for (const reflection::Effect& effect : function.effects) {
            if (effect.within == reflection::no_parameter) continue;
            const std::string_view parent = object_type(function, effect.within).name;
            types.all.insert(parent);
            const std::string_view object = object_type(function, effect.object.parameter).name;
            types.of[object].insert(parent);
            if (name_parameter(function) != reflection::no_parameter) types.named.insert(object);
        }
    }
    for (const auto& [object, parents] : types.of) {
        if (std::any_of(parents.begin(), parents.end(), [&](const auto& each) { return types.named.contains(each); })) {
            types.named.insert(object);
        }
    }
    return types;
}

// Returns the position of the first argument with one of the types; no_parameter if there is none.
unsigned char argument_of(const reflection::Function& function, const std::set<std::string_view>& types) {
    for (std::size_t index = 0; index < function.parameters.size(); ++index) {
        const Type& type = *function.parameters[index].type;
        if (type.kind == Kind::handle && types.contains(type.name)) return static_cast<unsigned char>(index);
    }
    return reflection::no_parameter;
}

// The specs state the parent for only one of the functions that return objects of a type. The other functions also have the
// parent among their arguments.
objects::OwnedResults owned_results(const reflection::Function& function, const ParentTypes& parents) {
    for (const Parameter& parameter : function.parameters) {
        if (!is_pointer(parameter) || parameter.direction == Direction::in) continue;
        const auto of = parents.of.find(parameter.type->inner->name);
        if (of == parents.of.end()) continue;
        return {parameter.type->inner, argument_of(function, of->second), argument_of(function, {of->first})};
    }
    return {};
}

EffectSummary summarize(const reflection::Function& function, const ParentTypes& parents) {
    EffectSummary summary;
    summary.has_effects = !function.effects.empty();
    const std::string_view symbol = function.symbol;
    summary.captures_into_graph = symbol.find("StreamBegin") != symbol.npos && symbol.find("aptureToGraph") != symbol.npos;
    summary.ends_capture = symbol.find("StreamEndCapture") != symbol.npos;
    summary.owned = owned_results(function, parents);
    summary.takes_named = argument_of(function, parents.named) != reflection::no_parameter;
    for (const Parameter& parameter : function.parameters) {
        const bool is_written = is_pointer(parameter) && parameter.direction != Direction::in;
        if (is_written && holds_handle(*parameter.type->inner, 4)) summary.returns_handles = true;
    }
    for (const reflection::Effect& effect : function.effects) {
        const bool ends = effect.what != reflection::Effect::What::begins;
        const bool has_object = effect.object.parameter != reflection::no_parameter;
        const Type* const type = has_object ? &object_type(function, effect.object.parameter) : nullptr;
        if (type == nullptr || type->kind == Kind::handle) summary.effects_on_handles = true;
        if (ends && type != nullptr && parents.all.contains(type->name)) summary.destroys_parents = true;
    }
    return summary;
}

EffectSummaries summarize_all() {
    EffectSummaries summaries;
    for (auto library = libraries(); *library != nullptr; ++library) {
        const auto parents = parent_types(**library);
        summaries.emplace_back();
        for (const reflection::Function& function : (*library)->functions) {
            summaries.back().push_back(summarize(function, parents));
        }
    }
    return summaries;
}

}  // namespace

unsigned char name_parameter(const reflection::Function& function) noexcept {
    for (std::size_t index = 0; index < function.parameters.size(); ++index) {
        const Parameter& parameter = function.parameters[index];
        const bool is_text = is_pointer(parameter) && parameter.shape == Shape::string && parameter.direction == Direction::in;
        if (is_text) return static_cast<unsigned char>(index);
    }
    return reflection::no_parameter;
}

namespace {

const EffectSummaries& effect_summaries() {
    static const EffectSummaries& summaries = *new EffectSummaries(summarize_all());
    return summaries;
}

}  // namespace

void create_effect_summaries() {
    (void)effect_summaries();
}

const EffectSummary& effect_summary_of(const Call& call) noexcept {
    return effect_summaries()[number_of(call.library)][number_of(call.library, call.function)];
}

}  // namespace CUBIND_NAMESPACE::layers
