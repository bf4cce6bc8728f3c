// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/effect_summary.hpp"

#include <algorithm>
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

// Returns the types of objects with which other objects are destroyed: contexts, and the parents in `within` of some effect.
std::set<std::string_view> parent_types(const reflection::LibraryDescription& library) {
    std::set<std::string_view> names;
    if (library.current_context != nullptr) names.insert(object_type(*library.current_context, 0).name);
    for (const reflection::Function& function : library.functions) {
        for (const reflection::Effect& effect : function.effects) {
            if (effect.within != reflection::no_parameter) names.insert(object_type(function, effect.within).name);
        }
    }
    return names;
}

EffectSummary summarize(const reflection::Function& function, const std::set<std::string_view>& parents) {
    EffectSummary summary;
    summary.has_effects = !function.effects.empty();
    for (const Parameter& parameter : function.parameters) {
        const bool is_written = is_pointer(parameter) && parameter.direction != Direction::in;
        if (is_written && holds_handle(*parameter.type->inner, 4)) summary.returns_handles = true;
    }
    for (const reflection::Effect& effect : function.effects) {
        const bool ends = effect.what != reflection::Effect::What::begins;
        const bool has_object = effect.object.parameter != reflection::no_parameter;
        const Type* const type = has_object ? &object_type(function, effect.object.parameter) : nullptr;
        if (type == nullptr || type->kind == Kind::handle) summary.effects_on_handles = true;
        if (ends && type != nullptr && parents.contains(type->name)) summary.destroys_parents = true;
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

const EffectSummary& effect_summary_of(const Call& call) noexcept {
    static const EffectSummaries& summaries = *new EffectSummaries(summarize_all());
    return summaries[number_of(call.library)][number_of(call.library, call.function)];
}

}  // namespace CUBIND_NAMESPACE::layers
