// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "chain/plans.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "chain/libraries.hpp"
#include "values/arguments.hpp"

namespace cubind::layers {

namespace {

using Plans = std::vector<std::vector<Plan>>;

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

// Types of objects that other objects end with: contexts, and parents that some function names.
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

Plan plan_for(const reflection::Function& function, const std::set<std::string_view>& parents) {
    Plan plan;
    plan.has_effects = !function.effects.empty();
    for (const Parameter& parameter : function.parameters) {
        const bool is_written = is_pointer(parameter) && parameter.direction != Direction::in;
        if (is_written && holds_handle(*parameter.type->inner, 4)) plan.gives_handles = true;
    }
    for (const reflection::Effect& effect : function.effects) {
        const bool ends = effect.what != reflection::Effect::What::begins;
        const bool has_object = effect.object.parameter != reflection::no_parameter;
        if (!has_object || object_type(function, effect.object.parameter).kind == Kind::handle) plan.effects_on_handles = true;
        if (ends && has_object && parents.contains(object_type(function, effect.object.parameter).name)) plan.ends_parents = true;
    }
    return plan;
}

Plans make_plans() {
    Plans plans;
    for (auto library = libraries(); *library != nullptr; ++library) {
        const auto parents = parent_types(**library);
        plans.emplace_back();
        for (const reflection::Function& function : (*library)->functions) plans.back().push_back(plan_for(function, parents));
    }
    return plans;
}

}  // namespace

const Plan& plan_of(const Call& call) noexcept {
    static const Plans& plans = *new Plans(make_plans());
    return plans[number_of(call.library)][number_of(call.library, call.function)];
}

}  // namespace cubind::layers
