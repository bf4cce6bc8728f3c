// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/model_json.hpp"
#include "spec/release.hpp"

namespace cubind::gen::emit {

spec::Json attribute_class_json(const model::AttributeClass& attributes) {
    spec::Json accessors = spec::Json::array();
    for (const auto& attribute : attributes.attributes) {
        spec::Json json = spec::object_for(16);
        json["accessor"] = attribute.name;
        json["enumerator"] = attribute.enumerator;
        json["yes_or_no"] = attribute.is_yes_or_no;
        json["description"] = attribute.description;
        json["has_unit"] = !attribute.unit.empty();
        json["unit"] = attribute.unit;
        json["is_later"] = !attribute.since.empty();
        json["since"] = attribute.since;
        json["since_number"] = attribute.since.empty() ? 0 : spec::release_number(attribute.since);
        json["is_removed"] = !attribute.removed.empty();
        json["removed"] = attribute.removed;
        accessors.push_back(std::move(json));
    }
    return {{"class", attributes.name}, {"enumeration", attributes.enumeration}, {"accessors", std::move(accessors)}};
}

}  // namespace cubind::gen::emit
