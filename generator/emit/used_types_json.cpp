// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "emit/model_json.hpp"

namespace cubind::gen::emit {

void add_used_types(spec::Json& json, const model::Model& model) {
    std::set<std::pair<std::string, std::string>> types;
    std::set<std::pair<std::string, std::string>> enums;
    for (const auto& name : model.mentioned_types) {
        const std::string& library = model.used_types.at(name);
        if (model.types.at(name) == model::TypeKind::tag) continue;  // a type of the vendor outside of all namespaces
        types.emplace(library, name);
        types.emplace(library, name_of_enum(model, name));
        const std::string target = resolve_alias(model, name);
        if (!model.enums.contains(target)) continue;
        enums.emplace(model.used_types.at(target), name_of_enum(model, target));
    }
    const auto list = [](const auto& entries) {
        spec::Json items = spec::Json::array();
        for (const auto& [library, name] : entries) items.push_back({{"from", library}, {"name", name}});
        return items;
    };
    json["has_used_types"] = !types.empty();
    json["used_types"] = list(types);
    json["used_enums"] = list(enums);
}

}  // namespace cubind::gen::emit
