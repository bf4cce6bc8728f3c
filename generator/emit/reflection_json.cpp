// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "emit/model_json.hpp"
#include "emit/reflection_types.hpp"

namespace cubind::gen::emit {
namespace {

/// Returns a length as factors: a number and the positions of up to two parameters.
spec::Json length_json(const model::Function& function, const std::string& text) {
    if (text.empty()) return false;
    std::uint64_t number = 1;
    spec::Json positions = spec::Json::array();
    std::istringstream factors(text);
    for (std::string factor; std::getline(factors, factor, '*');) {
        if (factor.find_first_not_of("0123456789") == std::string::npos) {
            number *= std::stoull(factor);
        } else {
            positions.push_back({{"position", *function.position_of(factor)}});
        }
    }
    return {{"number", number}, {"positions", std::move(positions)}};
}

spec::Json parameter_json(const model::Model& model, const model::Function& function, const model::Parameter& parameter,
                          ReflectionTypes& types) {
    spec::Json json = spec::object_for(4);
    json["name"] = parameter.name;
    json["in_cpp"] = print_type(parameter.type, [&](const std::string& name) { return model.qualify(name); });
    json["type"] = types.name_of(parameter.type);
    json["annotation"] = false;
    if (parameter.annotation) {
        spec::Json annotation = spec::object_for(4);
        annotation["direction"] = to_text(parameter.annotation->direction);
        annotation["shape"] = to_text(parameter.annotation->shape);
        annotation["optional"] = parameter.annotation->optional;
        annotation["length"] = length_json(function, parameter.annotation->length);
        json["annotation"] = std::move(annotation);
    }
    return json;
}

spec::Json position_json(const std::optional<std::size_t>& position) {
    return position ? spec::Json({{"position", *position}}) : spec::Json(false);
}

spec::Json place_json(const model::ObjectPlace& place) {
    return {{"position", place.parameter}, {"offset", place.offset}};
}

spec::Json effect_json(const model::Effect& effect) {
    constexpr const char* names[] = {"begins", "ends", "ends_contents"};
    spec::Json json = spec::object_for(8);
    json["what"] = names[static_cast<int>(effect.what)];
    json["has_kind"] = !effect.kind.empty();
    json["kind"] = identifier_of(effect.kind);
    json["object"] = effect.object ? place_json(*effect.object) : spec::Json(false);
    json["within"] = position_json(effect.within);
    json["owning"] = position_json(effect.owning);
    json["uncaptured"] = position_json(effect.uncaptured);
    return json;
}

/// Adds a list and a flag that is true if the list has entries.
void add_list(spec::Json& json, const std::string& name, spec::Json&& list) {
    json["has_" + name] = !list.empty();
    json[name] = std::move(list);
}

/// Returns the names of the enumerators of each enum. The names of an enum of another library have that library's namespace.
spec::Json enumerator_lists(const model::Model& model, const ReflectionTypes& types) {
    spec::Json list = spec::Json::array();
    const auto add = [&](const spec::Enum& enumeration, const std::string& space) {
        if (enumeration.enumerators.empty()) return;
        spec::Json names = spec::Json::array();
        for (const auto& enumerator : enumeration.enumerators) names.push_back({{"name", enumerator.name}, {"space", space}});
        list.push_back({{"enumeration", name_of_enum(model, enumeration.name)}, {"names", std::move(names)}});
    };
    for (const auto& enumeration : model.facts.enums) add(enumeration, "");
    std::map<std::string, const spec::Enum*> used;
    for (const spec::Enum* const each : types.used_enums()) used.emplace(each->name, each);
    for (const auto& [name, enumeration] : used) add(*enumeration, model.used_types.at(name) + "::");
    return list;
}

spec::Json row_json(const model::Model& model, const model::Function& function, ReflectionTypes& types) {
    spec::Json parameters = spec::Json::array();
    spec::Json effects = spec::Json::array();
    spec::Json places = spec::Json::array();
    for (const auto& parameter : function.parameters) parameters.push_back(parameter_json(model, function, parameter, types));
    for (const auto& effect : function.effects) effects.push_back(effect_json(effect));
    for (const auto& place : function.same_context) places.push_back(place_json(place));
    spec::Json json = spec::object_for(16);
    json["symbol"] = function.symbol;
    json["returns"] = types.name_of(function.returns);
    json["returns_in_cpp"] = print_type(function.returns, [&](const std::string& name) { return model.qualify(name); });
    add_list(json, "parameters", std::move(parameters));
    add_list(json, "effects", std::move(effects));
    add_list(json, "same_context", std::move(places));
    return json;
}

}  // namespace

spec::Json reflection_json(const model::Model& model) {
    ReflectionTypes types(model);
    spec::Json functions = spec::Json::array();
    for (const auto* const function : model::in_symbol_order(model)) functions.push_back(row_json(model, *function, types));
    spec::Json kinds = spec::Json::array();
    for (const auto& [name, lives] : model.overrides.objects) {
        kinds.push_back({{"identifier", identifier_of(name)},
                         {"name", name},
                         {"counted", lives.counted},
                         {"in_context", lives.in_context},
                         {"owned", !lives.end.empty()}});
    }
    spec::Json json = spec::object_for(16);
    json["status_type"] = types.name_of(model::parse_type(model.config.status.type, model.place));
    const auto symbol_json = [](const std::string& symbol) {
        return symbol.empty() ? spec::Json(false) : spec::Json({{"symbol", symbol}});
    };
    json["current_context"] = symbol_json(model.config.queries.current_context);
    json["is_capturing"] = symbol_json(model.config.queries.is_capturing);
    add_list(json, "object_kinds", std::move(kinds));
    json["enumerator_lists"] = enumerator_lists(model, types);
    json["reflected_types"] = types.types();
    json["field_lists"] = types.field_lists();
    json["function_rows"] = std::move(functions);
    return json;
}

}  // namespace cubind::gen::emit
