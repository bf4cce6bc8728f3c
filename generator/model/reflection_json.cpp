// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reflection_types.hpp"
#include "model/to_json.hpp"

#include <algorithm>
#include <sstream>

namespace cubind::gen::model {
namespace {

/// A length as a number and the positions of up to two parameters whose product it is.
spec::Json length_json(const Function& function, const std::string& text) {
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

spec::Json parameter_json(const Function& function, const Parameter& parameter, ReflectionTypes& types) {
    spec::Json json = spec::object_for(4);
    json["name"] = parameter.name;
    json["type"] = types.number_of(parameter.type);
    json["judgement"] = false;
    if (parameter.judgement) {
        spec::Json judgement = spec::object_for(4);
        judgement["direction"] = to_text(parameter.judgement->direction);
        judgement["shape"] = to_text(parameter.judgement->shape);
        judgement["optional"] = parameter.judgement->optional;
        judgement["length"] = length_json(function, parameter.judgement->length);
        json["judgement"] = std::move(judgement);
    }
    return json;
}

spec::Json position_json(const std::optional<std::size_t>& position) {
    return position ? spec::Json({{"position", *position}}) : spec::Json(false);
}

spec::Json place_json(const ObjectPlace& place) { return {{"position", place.parameter}, {"offset", place.offset}}; }

spec::Json effect_json(const Model& model, const Effect& effect) {
    constexpr const char* names[] = {"begins", "ends", "ends_contents"};
    const auto kind = model.overrides.objects.find(effect.kind);
    spec::Json json = spec::object_for(8);
    json["what"] = names[static_cast<int>(effect.what)];
    json["has_kind"] = kind != model.overrides.objects.end();
    json["kind"] = std::distance(model.overrides.objects.begin(), kind);
    json["object"] = effect.object ? place_json(*effect.object) : spec::Json(false);
    json["within"] = position_json(effect.within);
    json["owning"] = position_json(effect.owning);
    json["uncaptured"] = position_json(effect.uncaptured);
    return json;
}

/// Rows of one kind that many functions have some of: a function says which is its first, and how many it has.
void add_rows(spec::Json& function, const char* name, spec::Json& all, spec::Json&& rows) {
    function[name] = false;
    if (rows.empty()) return;
    function[name] = {{"first_row", all.size()}, {"count", rows.size()}};
    for (auto& row : rows) all.push_back(std::move(row));
}

}  // namespace

spec::Json reflection_json(const Model& model) {
    const Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    ReflectionTypes types(model);
    spec::Json functions = spec::Json::array();
    spec::Json all_parameters = spec::Json::array();
    spec::Json all_effects = spec::Json::array();
    spec::Json all_places = spec::Json::array();
    spec::Json json = spec::object_for(16);
    const std::map<std::string, std::string> asked = {{"current_context", model.config.queries.current_context},
                                                      {"is_capturing", model.config.queries.is_capturing}};
    for (const auto& [key, name] : asked) json[key] = false;
    for (const Function* const function : in_symbol_order(model)) {
        const std::string& symbol = function->symbol;
        spec::Json parameters = spec::Json::array();
        spec::Json effects = spec::Json::array();
        spec::Json places = spec::Json::array();
        std::string signature = print_type(function->returns, qualify) + "(";
        for (const auto& parameter : function->parameters) {
            signature += (parameters.empty() ? "" : ", ") + print_type(parameter.type, qualify);
            parameters.push_back(parameter_json(*function, parameter, types));
        }
        for (const auto& effect : function->effects) effects.push_back(effect_json(model, effect));
        for (const auto& place : function->same_context) places.push_back(place_json(place));
        for (const auto& [key, name] : asked) {
            if (name == symbol) json[key] = {{"index", functions.size()}};
        }
        spec::Json row = spec::object_for(8);
        row["symbol"] = symbol;
        row["index"] = functions.size();
        row["returns"] = types.number_of(function->returns);
        row["signature"] = signature + ")";
        add_rows(row, "parameters", all_parameters, std::move(parameters));
        add_rows(row, "effects", all_effects, std::move(effects));
        add_rows(row, "same_context", all_places, std::move(places));
        functions.push_back(std::move(row));
    }
    json["status_type"] = types.number_of(parse_type(model.config.status.type, model.place));
    spec::Json kinds = spec::Json::array();
    for (const auto& [name, lives] : model.overrides.objects) {
        kinds.push_back({{"name", name}, {"counted", lives.counted}, {"in_context", lives.in_context}, {"owned", !lives.end.empty()}});
    }
    json["object_kinds"] = std::move(kinds);
    json["type_rows"] = std::move(types.types);
    json["fields"] = std::move(types.fields);
    json["function_rows"] = std::move(functions);
    json["parameter_rows"] = std::move(all_parameters);
    json["effect_rows"] = std::move(all_effects);
    json["places"] = std::move(all_places);
    for (const char* list : {"type_row", "field", "function_row", "parameter_row", "effect_row", "place", "object_kind"}) {
        const std::string name = list;
        json[name + "_count"] = json[name + "s"].size();
        json["has_" + name + "s"] = !json[name + "s"].empty();
    }
    return json;
}

}  // namespace cubind::gen::model
