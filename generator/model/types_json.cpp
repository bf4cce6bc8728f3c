// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/to_json.hpp"

#include "error.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace cubind::gen::model {
namespace {

/// What every entry says of its life, for guards on the vendor's version macro.
void add_life(spec::Json& json, const Model& model, const std::string& since, const std::string& removed,
              const spec::View& view) {
    json["since"] = since;
    json["since_number"] = release_number(since);
    json["removed"] = removed;
    json["is_removed"] = !removed.empty();
    json["removed_number"] = removed.empty() ? 0 : release_number(removed);
    json["internal"] = !view.empty();
    json["view_macro"] = "";
    for (const auto& known : model.config.views) {
        if (known.name == view) json["view_macro"] = known.defines.empty() ? "" : known.defines.front();
    }
}

/// C++ text of a value that api.json keeps in 64 bits with a sign.
std::string literal(std::int64_t value, const std::string& type) {
    if (value < 0 && type.starts_with("unsigned")) return std::to_string(static_cast<std::uint64_t>(value)) + "u";
    if (value == std::numeric_limits<std::int64_t>::min()) return std::to_string(value + 1) + " - 1";
    return std::to_string(value);
}

/// Alignment that the fields alone give a record.
std::int64_t natural_alignment(const Model& model, const spec::Record& record);

std::int64_t natural_alignment(const Model& model, const Type& type) {
    switch (type.kind) {
        case Type::Kind::pointer:
        case Type::Kind::function: return 8;
        case Type::Kind::array: return natural_alignment(model, *type.inner);
        case Type::Kind::named: break;
    }
    for (const auto& record : model.facts.records) {
        if (record.name == type.name) return record.alignment;
    }
    const auto alias = model.alias_types.find(type.name);
    if (alias != model.alias_types.end()) return natural_alignment(model, parse_type(alias->second, alias->first));
    const auto kind = model.types.find(type.name);
    if (kind != model.types.end()) return kind->second == TypeKind::enumeration ? 4 : 8;
    static const std::set<std::string> bytes = {"char", "signed char", "unsigned char", "bool", "int8_t", "uint8_t"};
    static const std::set<std::string> shorts = {"short", "unsigned short", "int16_t", "uint16_t"};
    static const std::set<std::string> words = {"int", "unsigned int", "float", "int32_t", "uint32_t"};
    return bytes.contains(type.name) ? 1 : shorts.contains(type.name) ? 2 : words.contains(type.name) ? 4 : 8;
}

std::int64_t natural_alignment(const Model& model, const spec::Record& record) {
    std::int64_t alignment = 1;
    for (const auto& field : record.fields) {
        alignment = std::max(alignment, field.record ? field.record->alignment
                                                     : natural_alignment(model, parse_type(field.type, record.name)));
    }
    return alignment;
}

spec::Json record_body(const Model& model, const spec::Record& record, const std::string& indent, const std::string& place) {
    const Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    const auto initial = model.overrides.initial_values.find(record.name);
    spec::Json fields = spec::Json::array();
    for (const auto& field : record.fields) {
        spec::Json json = spec::object_for(16);
        json["field_name"] = field.name;
        json["anonymous"] = field.name.empty();
        json["indent"] = indent + "    ";
        json["declaration"] = "";
        json["initial_value"] = "";
        json["has_initial_value"] = false;
        json["record"] = false;
        json["extents"] = spec::Json::array();
        for (const auto extent : field.extents) json["extents"].push_back(std::to_string(extent));
        if (field.record) {
            json["record"] = record_body(model, *field.record, indent + "    ", place);
        } else {
            json["declaration"] = print_declaration(parse_type(field.type, place), field.name, qualify);
        }
        if (!record.name.empty() && initial != model.overrides.initial_values.end() && initial->second.contains(field.name)) {
            json["initial_value"] = initial->second.at(field.name);
            json["has_initial_value"] = true;
        }
        fields.push_back(std::move(json));
    }
    const std::int64_t natural = natural_alignment(model, record);
    spec::Json json = spec::object_for(16);
    json["name"] = record.name;
    json["tagged"] = !record.name.empty();
    json["union"] = record.is_union;
    json["size"] = record.size;
    json["alignment"] = record.alignment;
    json["overaligned"] = record.alignment > natural;
    json["close_indent"] = indent;
    json["fields"] = std::move(fields);
    return json;
}

/// Every path that offsetof understands, with its offset from the record's start.
void collect_paths(const spec::Record& record, const std::string& prefix, std::int64_t base, spec::Json& paths) {
    for (const auto& field : record.fields) {
        const std::string path = prefix + field.name;
        if (!field.name.empty()) {
            spec::Json json = spec::object_for(16);
            json["path"] = path;
            json["offset"] = base + field.offset;
            paths.push_back(std::move(json));
        }
        if (!field.record || !field.extents.empty()) continue;
        collect_paths(*field.record, field.name.empty() ? prefix : path + ".", base + field.offset, paths);
    }
}

}  // namespace

int release_number(const std::string& release) {
    const std::size_t dot = release.find('.');
    if (dot == std::string::npos) throw InputError("\"" + release + "\" is no release; write it as 13.4");
    return std::atoi(release.c_str()) * 1000 + std::atoi(release.c_str() + dot + 1) * 10;
}

spec::Json enums_json(const Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& entry : model.facts.enums) {
        spec::Json json = spec::object_for(16);
        const auto name = model.enum_names.find(entry.name);
        json["name"] = name != model.enum_names.end() ? name->second : entry.name;
        json["underlying"] = entry.underlying;
        json["is_status"] = entry.name == model.status_enum;
        add_life(json, model, entry.since, entry.removed, entry.view);
        std::set<std::int64_t> values;
        spec::Json enumerators = spec::Json::array();
        for (const auto& enumerator : entry.enumerators) {
            spec::Json item;
            item["name"] = enumerator.name;
            item["value"] = literal(enumerator.value, entry.underlying);
            // Several names may share a value; the first one is its name in messages.
            item["first_of_value"] = values.insert(enumerator.value).second;
            const auto text = model.overrides.descriptions.find(enumerator.name);
            item["description"] = text != model.overrides.descriptions.end() ? text->second : "";
            enumerators.push_back(std::move(item));
        }
        json["enumerators"] = std::move(enumerators);
        list.push_back(std::move(json));
    }
    return list;
}

spec::Json types_json(const Model& model) {
    const Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    std::map<std::string, spec::Json> by_name;
    const auto add = [&](const auto& entry, const char* kind, spec::Json body) {
        spec::Json json = spec::object_for(16);
        json["name"] = entry.name;
        for (const char* other : {"record", "alias", "handle", "callback"}) json[other] = false;
        add_life(json, model, entry.since, entry.removed, entry.view);
        json[kind] = std::move(body);
        by_name[entry.name] = std::move(json);
    };
    for (const auto& entry : model.facts.records) {
        spec::Json body = record_body(model, entry, "", "records/" + entry.name);
        spec::Json paths = spec::Json::array();
        collect_paths(entry, "", 0, paths);
        body["paths"] = std::move(paths);
        add(entry, "record", std::move(body));
    }
    for (const auto& entry : model.facts.aliases) {
        spec::Json body;
        body["type"] = print_type(parse_type(entry.type, entry.name), qualify);
        body["macro"] = entry.is_macro;
        add(entry, "alias", std::move(body));
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
        body["returns"] = print_type(parse_type(entry.returns, entry.name), qualify);
        spec::Json parameters = spec::Json::array();
        for (const auto& parameter : entry.parameters) {
            spec::Json item;
            item["declaration"] = print_declaration(parse_type(parameter.type, entry.name), parameter.name, qualify);
            parameters.push_back(std::move(item));
        }
        body["parameters"] = std::move(parameters);
        add(entry, "callback", std::move(body));
    }
    spec::Json list = spec::Json::array();
    for (const auto& name : model.type_order) list.push_back(by_name.at(name));
    return list;
}

spec::Json constants_json(const Model& model) {
    const Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    spec::Json list = spec::Json::array();
    for (const auto& entry : model.facts.constants) {
        const Type type = parse_type(entry.type, entry.name);
        const bool is_enum = model.types.contains(type.name) && model.types.at(type.name) == TypeKind::enumeration;
        spec::Json json = spec::object_for(16);
        json["name"] = entry.name;
        json["type"] = print_type(type, qualify);
        json["value"] = literal(entry.value, resolve_alias(model, type.name));
        json["pointer"] = type.is_pointer();
        json["enumeration"] = is_enum;
        add_life(json, model, entry.since, entry.removed, "");
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace cubind::gen::model
