// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/model_text.hpp"

#include <initializer_list>

#include "emit/model_json.hpp"

namespace cubind::gen::emit {
namespace {

spec::Json pick(const spec::Json& from, std::initializer_list<const char*> keys) {
    spec::Json picked;
    for (const char* key : keys) picked[key] = from[key];
    return picked;
}

spec::Json function_entry(const model::Model& model, const model::Function& function, const Templates& templates) {
    const spec::Json full = function_json(model, function);
    const Data data = to_data(full);
    spec::Json entry = pick(full, {"symbol", "name"});
    entry["public_names"] = spec::Json::array();
    for (const auto& name : model.public_names) {
        if (name.target == function.name) entry["public_names"].push_back(name.name);
    }
    if (entry["public_names"].empty() && function.view.empty()) entry["public_names"].push_back(function.symbol);
    entry["signature"] = templates.render("signature", {&data});
    entry.update(
        pick(full, {"header", "group", "file", "since", "removed", "earlier", "is_per_thread", "returns", "per_thread"}));
    entry["parameters"] = spec::Json::array();
    for (const auto& parameter : full["parameters"]) {
        entry["parameters"].push_back(
            pick(parameter, {"name", "type", "direction", "shape", "length", "optional", "returned", "default"}));
    }
    return entry;
}

}  // namespace

std::string model_text(const model::Model& model, const Templates& templates) {
    const spec::Json library = library_json(model);
    spec::Json json = pick(library, {"library", "title", "release", "headers", "status", "library_missing", "symbol_missing",
                                     "per_thread_macro", "release_macro", "file_names", "refused_file_names", "groups"});
    json["functions"] = spec::Json::array();
    for (const auto& function : model.functions) json["functions"].push_back(function_entry(model, function, templates));
    json["enums"] = spec::Json::array();
    for (const auto& entry : enums_json(model)) {
        spec::Json picked = pick(entry, {"name", "underlying", "since", "removed"});
        picked["enumerators"] = spec::Json::array();
        for (const auto& enumerator : entry["enumerators"]) picked["enumerators"].push_back(pick(enumerator, {"name", "value"}));
        json["enums"].push_back(std::move(picked));
    }
    json["types"] = types_json(model);
    json["constants"] = spec::Json::array();
    for (const auto& entry : constants_json(model)) {
        json["constants"].push_back(pick(entry, {"name", "type", "value", "since", "removed"}));
    }
    json["variables"] = spec::Json::array();
    for (const auto& entry : variables_json(model)) {
        json["variables"].push_back(pick(entry, {"name", "type", "since", "removed"}));
    }
    return spec::to_text(json);
}

}  // namespace cubind::gen::emit
