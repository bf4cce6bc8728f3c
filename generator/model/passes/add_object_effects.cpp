// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <sstream>

#include "error.hpp"
#include "model/layout.hpp"
#include "model/override_keys.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// Returns every key of a map.
template <class Lines>
std::set<std::string> keys_of(const Lines& lines) {
    std::set<std::string> keys;
    for (const auto& [key, line] : lines) keys.insert(key);
    return keys;
}

void reject_unused(const std::set<std::string>& unused, const std::string& place) {
    if (unused.empty()) return;
    throw InputError(place + "/" + *unused.begin() +
                     ": there is no function of this name and none that extends it; remove the line or correct the name");
}

std::size_t position_of(const Function& function, const std::string& name, const std::string& place) {
    const auto position = function.position_of(name);
    if (!position) throw InputError(place + ": " + function.symbol + " has no parameter " + name + "; correct the name");
    return *position;
}

std::int64_t offset_of(const Model& model, const Parameter& parameter, const std::string& field, const std::string& place) {
    const bool points = parameter.type.is_pointer();
    const auto record = model.records.find(resolve_alias(model, points ? parameter.type.inner->name : parameter.type.name));
    if (record != model.records.end()) {
        for (const auto& each : record->second->fields) {
            if (each.name == field) return each.offset;
        }
    }
    throw InputError(place + ": " + parameter.vendor_name + " has no field " + field + "; correct the name");
}

/// Parses "PARAMETER[.FIELD]".
ObjectPlace parse_place(const Model& model, const Function& function, const std::string& text, const std::string& place) {
    const std::size_t dot = text.find('.');
    ObjectPlace object{.parameter = position_of(function, text.substr(0, dot), place)};
    if (dot != std::string::npos)
        object.offset = offset_of(model, function.parameters[object.parameter], text.substr(dot + 1), place);
    return object;
}

/// Parses "PARAMETER[.FIELD] [within PARAMETER] [owning PARAMETER] [uncaptured PARAMETER]".
Effect parse_effect(const Model& model, const Function& function, const std::string& text, const std::string& place) {
    std::istringstream words(text);
    std::string object;
    words >> object;
    Effect effect;
    if (!object.empty()) effect.object = parse_place(model, function, object, place);
    const std::map<std::string, std::optional<std::size_t>*> relations = {
        {"within", &effect.within}, {"owning", &effect.owning}, {"uncaptured", &effect.uncaptured}};
    for (std::string word, name; words >> word;) {
        const auto relation = relations.find(word);
        if (relation == relations.end() || !(words >> name)) {
            throw InputError(place + ": \"" + text + "\" cannot be parsed; write " +
                             "\"PARAMETER[.FIELD] [within PARAMETER] [owning PARAMETER] [uncaptured PARAMETER]\"");
        }
        *relation->second = position_of(function, name, place);
    }
    return effect;
}

void add_effects(Model& model, const std::string& kind, Effect::What what, const std::map<std::string, std::string>& lines,
                 const std::string& place) {
    auto unused = keys_of(lines);
    for (auto& function : model.functions) {
        const auto line = find_longest(lines, function.symbol);
        if (line == lines.end()) continue;
        unused.erase(line->first);
        Effect effect = parse_effect(model, function, line->second, place + "/" + line->first);
        if (!effect.object && what != Effect::What::ends_contents)
            throw InputError(place + "/" + line->first + ": the text is empty; name the parameter that holds the object");
        effect.what = what;
        effect.kind = kind;
        function.effects.push_back(std::move(effect));
    }
    reject_unused(unused, place);
}

void add_context_rules(Model& model, const std::string& file) {
    const auto& rules = model.overrides.same_context;
    auto unused = keys_of(rules);
    for (auto& function : model.functions) {
        const auto rule = find_longest(rules, function.symbol);
        if (rule == rules.end()) continue;
        unused.erase(rule->first);
        for (const auto& name : rule->second) {
            function.same_context.push_back(parse_place(model, function, name, file + "same_context/" + rule->first));
        }
    }
    reject_unused(unused, file + "same_context");
}

void check_queries(const Model& model) {
    const spec::QueriesConfig& queries = model.config.queries;
    for (const auto& [key, name] :
         {std::pair("current_context", queries.current_context), std::pair("is_capturing", queries.is_capturing)}) {
        const bool known = std::any_of(model.functions.begin(), model.functions.end(),
                                       [&wanted = name](const Function& each) { return each.symbol == wanted; });
        if (!name.empty() && !known) {
            throw InputError(model.place + "/library.json: queries/" + key + ": " + name +
                             " is not a function of the library; correct the name, or remove the key");
        }
    }
}

void check_enums(const Model& model, const std::string& place, const std::vector<std::string>& names) {
    for (const auto& name : names) {
        const bool known =
            std::any_of(model.enum_names.begin(), model.enum_names.end(), [&](const auto& each) { return each.second == name; });
        if (!known && !model.enums.contains(name)) {
            throw InputError(place + ": there is no enum " + name + "; remove it or correct the name");
        }
    }
}

}  // namespace

void add_object_effects(Model& model) {
    const std::string file = model.place + "/overrides.json: ";
    for (const auto& [kind, lifetime] : model.overrides.objects) {
        const std::string place = file + "objects/" + kind;
        add_effects(model, kind, Effect::What::begins, lifetime.begin, place + "/begin");
        add_effects(model, kind, Effect::What::ends, lifetime.end, place + "/end");
    }
    add_effects(model, "", Effect::What::ends_contents, model.overrides.ends_contents, file + "ends_contents");
    add_context_rules(model, file);
    check_queries(model);
    check_enums(model, file + "bit_sets", model.overrides.bit_sets);
    check_enums(model, file + "open_enums", model.overrides.open_enums);
}

}  // namespace cubind::gen::model
