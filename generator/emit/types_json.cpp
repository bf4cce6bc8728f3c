// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>

#include "emit/model_json.hpp"
#include "model/layout.hpp"
#include "spec/release.hpp"
#include "spec/standard_types.hpp"

namespace cubind::gen::emit {
namespace {

/// Returns the first release in the spec whose headers have the entry in its current form.
template <class Body>
const std::string& unchanged_since(const model::Model& model, const spec::Entry<Body>& entry) {
    if (!entry.history.empty()) return entry.history.back().until;
    return std::max(entry.since, model.facts.releases.front(), spec::EarlierRelease{});
}

/// Adds the releases that have the entry, for comments and for guards on the vendor's version macro.
template <class Body>
void add_life(spec::Json& json, const model::Model& model, const spec::Entry<Body>& entry) {
    json["since"] = entry.since;
    json["removed"] = entry.removed;
    json["is_removed"] = !entry.removed.empty();
    json["unchanged_since_number"] = spec::release_number(unchanged_since(model, entry));
    if constexpr (requires { entry.header; }) {
        const auto guarded = model.config.headers_guarded_since.find(entry.header);
        if (guarded != model.config.headers_guarded_since.end()) {
            json["unchanged_since_number"] =
                spec::release_number(std::max(unchanged_since(model, entry), guarded->second, spec::EarlierRelease{}));
        }
    }
    json["removed_number"] = spec::release_number(entry.removed);
    json["absent"] = spec::Json::array();
    for (const auto& release : entry.absent) json["absent"].push_back(std::to_string(spec::release_number(release)));
    json["internal"] = false;
    json["view_macro"] = "";
    json["side_condition"] = "";
    if constexpr (requires { entry.header; }) json["side_condition"] = model.config.side_condition(entry.header);
    json["is_of_side_header"] = json["side_condition"] != "";
    if constexpr (requires { entry.view; }) {
        json["internal"] = !entry.view.empty();
        for (const auto& known : model.config.views) {
            if (known.name == entry.view) json["view_macro"] = known.defines.empty() ? "" : known.defines.front();
        }
    }
}

/// Returns the C++ literal of a value that api.json stores as a signed 64-bit number.
std::string literal(std::int64_t value, const std::string& type) {
    if (value < 0 && type.starts_with("unsigned")) return std::to_string(static_cast<std::uint64_t>(value)) + "u";
    if (value == std::numeric_limits<std::int64_t>::min()) return std::to_string(value + 1) + " - 1";
    return std::to_string(value);
}

spec::Json record_body(const model::Model& model, const spec::RecordBody& record, const std::string& tag,
                       const std::string& place) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    const auto initial = model.overrides.initial_values.find(tag);
    spec::Json fields = spec::Json::array();
    for (const auto& field : record.fields) {
        spec::Json json = spec::object_for(16);
        json["field_name"] = field.name;
        json["anonymous"] = field.name.empty();
        json["declaration"] = "";
        json["initial_value"] = "";
        json["has_initial_value"] = false;
        json["initial_size"] = false;
        json["initial_constant"] = "";
        json["has_initial_constant"] = false;
        json["bits"] = field.bits != 0 ? spec::Json({{"width", field.bits}}) : spec::Json(false);
        json["record"] = false;
        json["extents"] = spec::Json::array();
        for (const auto extent : field.extents) json["extents"].push_back(std::to_string(extent));
        if (field.record) {
            json["record"] = record_body(model, *field.record, field.record->name, place);
        } else {
            json["declaration"] = print_declaration(model::parse_type(field.type, place), field.name, qualify);
        }
        if (!tag.empty() && initial != model.overrides.initial_values.end() && initial->second.contains(field.name)) {
            const std::string& value = initial->second.at(field.name);
            const auto constant = value_of_constant(model, value);
            json["initial_value"] = constant ? std::to_string(*constant) : value;
            json["initial_size"] = value == model::initial_size ? spec::Json({{"type", tag}}) : spec::Json(false);
            json["initial_constant"] = constant ? value : "";
            json["has_initial_constant"] = constant.has_value();
            json["has_initial_value"] = true;
        }
        fields.push_back(std::move(json));
    }
    const model::Layout natural = natural_layout(model, record);
    spec::Json json = spec::object_for(16);
    json["name"] = tag;
    json["tagged"] = !tag.empty();
    json["union"] = record.is_union;
    json["size"] = record.size;
    json["alignment"] = record.alignment;
    json["overaligned"] = record.alignment > natural.alignment;
    json["fields"] = std::move(fields);
    return json;
}

/// Returns whether a constant expression can convert bytes to the record: whether all fields are numbers or enums.
bool is_plain(const model::Model& model, const spec::RecordBody& record) {
    return std::all_of(record.fields.begin(), record.fields.end(), [&](const spec::Field& field) {
        if (field.record) return is_plain(model, *field.record);
        const std::string name = resolve_alias(model, field.type.substr(0, field.type.find('[')));
        const auto kind = model.types.find(name);
        const bool is_number = kind == model.types.end() && spec::is_standard_type(name) && name != "bool";
        return is_number || (kind != model.types.end() && kind->second == model::TypeKind::enumeration);
    });
}

/// Collects the named bit-fields that generated code can compare, each with the path of the innermost named record that holds
/// it. Members of unions cannot be compared.
void collect_bit_fields(const model::Model& model, const spec::RecordBody& record, const std::string& within, bool is_comparable,
                        spec::Json& bit_fields) {
    is_comparable = is_comparable && !record.is_union;
    for (const auto& field : record.fields) {
        if (field.record && field.name.empty()) {
            collect_bit_fields(model, *field.record, within, is_comparable, bit_fields);
        } else if (field.record && field.extents.empty() && !field.is_private) {
            const std::string path = within.empty() ? field.name : within + "." + field.name;
            collect_bit_fields(model, *field.record, path, is_plain(model, *field.record), bit_fields);
        } else if (field.bits != 0 && !field.name.empty() && !field.is_private && is_comparable) {
            bit_fields.push_back({{"has_within", !within.empty()}, {"within", within}, {"field", field.name}});
        }
    }
}

/// Collects every path that offsetof accepts, with its offset from the start of the record.
void collect_paths(const spec::RecordBody& record, const std::string& prefix, std::int64_t base, spec::Json& paths) {
    for (const auto& field : record.fields) {
        const std::string path = prefix + field.name;
        if (!field.name.empty() && field.bits == 0 && !field.is_private) {
            spec::Json json = spec::object_for(16);
            json["path"] = path;
            json["offset"] = base + field.offset;
            paths.push_back(std::move(json));
        }
        if (!field.record || !field.extents.empty() || field.is_private) continue;
        collect_paths(*field.record, field.name.empty() ? prefix : path + ".", base + field.offset, paths);
    }
}

}  // namespace

spec::Json enums_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& entry : model.facts.enums) {
        spec::Json json = spec::object_for(16);
        json["name"] = name_of_enum(model, entry.name);
        json["underlying"] = entry.underlying;
        json["is_status"] = entry.name == model.status_enum;
        add_life(json, model, entry);
        std::set<std::int64_t> values;
        spec::Json enumerators = spec::Json::array();
        for (const auto& enumerator : entry.enumerators) {
            spec::Json item = spec::object_for(16);
            item["name"] = enumerator.name;
            item["value"] = literal(enumerator.value, entry.underlying);
            // Several enumerators may have one value; messages use the name of the first.
            item["first_of_value"] = values.insert(enumerator.value).second;
            item["was_macro"] = model.former_macros.contains(enumerator.name);
            item["guard"] = false;
            const bool is_later = spec::EarlierRelease{}(unchanged_since(model, entry), unchanged_since(model, enumerator));
            if (is_later || enumerator.removed != entry.removed || !enumerator.absent.empty()) {
                item["guard"] = spec::object_for(8);
                add_life(item["guard"], model, enumerator);
            }
            if (entry.name == model.status_enum) {
                const auto text = model.overrides.descriptions.find(enumerator.name);
                item["description"] = text != model.overrides.descriptions.end() ? text->second : "";
            }
            enumerators.push_back(std::move(item));
        }
        json["enumerators"] = std::move(enumerators);
        list.push_back(std::move(json));
    }
    return list;
}

spec::Json types_json(const model::Model& model) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    std::map<std::string, spec::Json> by_name;
    const auto add = [&](const auto& entry, const char* kind, spec::Json body) {
        spec::Json json = spec::object_for(16);
        json["name"] = entry.name;
        for (const char* other : {"record", "alias", "handle", "callback"}) json[other] = false;
        add_life(json, model, entry);
        json[kind] = std::move(body);
        by_name[entry.name] = std::move(json);
    };
    for (const auto& entry : model.facts.records) {
        spec::Json body = record_body(model, entry, entry.name, "records/" + entry.name);
        spec::Json paths = spec::Json::array();
        collect_paths(entry, "", 0, paths);
        body["paths"] = std::move(paths);
        spec::Json bit_fields = spec::Json::array();
        collect_bit_fields(model, entry, "", is_plain(model, entry), bit_fields);
        body["has_bit_fields"] = !bit_fields.empty();
        body["bit_fields"] = std::move(bit_fields);
        const auto resized = std::find_if(entry.history.rbegin(), entry.history.rend(),
                                          [&](const auto& former) { return former.size != entry.size; });
        body["was_resized"] = resized != entry.history.rend();
        body["former_size"] = resized != entry.history.rend() ? resized->size : 0;
        body["former_until"] = resized != entry.history.rend() ? resized->until : "";
        add(entry, "record", std::move(body));
    }
    for (const auto& entry : model.facts.aliases) {
        spec::Json body;
        body["type"] = print_type(model::parse_type(entry.type, entry.name), qualify);
        body["macro"] = entry.is_macro;
        body["opaque"] = model.opaque_records.contains(resolve_alias(model, entry.type));
        add(entry, "alias", std::move(body));
        // The size of the alias changes with the size of its target.
        const auto target = by_name.find(resolve_alias(model, entry.type));
        if (target != by_name.end()) {
            spec::Json& since = by_name[entry.name]["unchanged_since_number"];
            since = std::max(since, target->second["unchanged_since_number"]);
        }
        const auto name = model.enum_names.find(entry.type);
        if (name != model.enum_names.end() && name->second == entry.name) {
            by_name[entry.name]["name"] = entry.type;
            by_name[entry.name]["alias"]["type"] = entry.name;
        }
    }
    for (const auto& entry : model.facts.handles) {
        spec::Json body;
        body["tag"] = entry.tag;
        add(entry, "handle", std::move(body));
    }
    for (const auto& entry : model.facts.callbacks) {
        spec::Json body;
        body["returns"] = print_type(model::parse_type(entry.returns, entry.name), qualify);
        spec::Json parameters = spec::Json::array();
        for (const auto& parameter : entry.parameters) {
            spec::Json item;
            item["declaration"] = print_declaration(model::parse_type(parameter.type, entry.name), parameter.name, qualify);
            parameters.push_back(std::move(item));
        }
        body["parameters"] = std::move(parameters);
        add(entry, "callback", std::move(body));
    }
    spec::Json list = spec::Json::array();
    for (const auto& name : model.type_order) list.push_back(by_name.at(name));
    return list;
}

spec::Json tags_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& [name, kind] : model.types) {
        const bool is_declared = !model.used_types.contains(name) || model.mentioned_types.contains(name);
        if (kind != model::TypeKind::tag || !is_declared) continue;
        const auto opaque = model.opaque_records.find(name);
        const bool is_opaque = opaque != model.opaque_records.end();
        if (is_opaque && opaque->second->is_system) continue;
        list.push_back({{"tag", name}, {"union", is_opaque && opaque->second->is_union}, {"opaque", is_opaque}});
    }
    return list;
}

spec::Json system_headers_json(const model::Model& model) {
    std::set<std::string> headers;
    for (const auto& [name, record] : model.opaque_records) {
        if (record->is_system) headers.insert(record->header);
    }
    return spec::Json(headers);
}

spec::Json constants_json(const model::Model& model) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    spec::Json list = spec::Json::array();
    for (const auto& entry : model.facts.constants) {
        const model::Type type = model::parse_type(entry.type, entry.name);
        const bool is_enum = model.types.contains(type.name) && model.types.at(type.name) == model::TypeKind::enumeration;
        spec::Json json = spec::object_for(16);
        json["name"] = entry.name;
        json["type"] = print_type(type, qualify);
        json["value"] = literal(entry.value, resolve_alias(model, type.name));
        json["pointer"] = type.is_pointer();
        json["enumeration"] = is_enum;
        add_life(json, model, entry);
        list.push_back(std::move(json));
    }
    return list;
}

spec::Json variables_json(const model::Model& model) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    spec::Json list = spec::Json::array();
    for (const auto& entry : model.facts.variables) {
        spec::Json json = spec::object_for(16);
        json["name"] = entry.name;
        json["type"] = print_type(model::parse_type(entry.type, entry.name), qualify);
        add_life(json, model, entry);
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace cubind::gen::emit
