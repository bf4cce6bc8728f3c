// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reflection_types.hpp"

#include "model/layout.hpp"

#include <algorithm>

namespace cubind::gen::model {
namespace {

const char* scalar_kind(const std::string& name) {
    if (name == "void") return "nothing";
    if (name == "bool") return "boolean";
    if (name == "char") return "character";
    if (name == "float" || name == "double") return "floating";
    const bool is_unsigned = name.starts_with("unsigned") || name.starts_with("uint") || name == "size_t";
    return is_unsigned ? "unsigned_integer" : "signed_integer";
}

/// The same for types that differ in what is constant, which no data does.
Type without_const(Type type) {
    type.is_const = false;
    if (type.inner != nullptr) type.inner = std::make_shared<const Type>(without_const(*type.inner));
    return type;
}

}  // namespace

ReflectionTypes::ReflectionTypes(const Model& model) : model_(model) {
    for (const auto& function : model.functions) {
        for (const auto& effect : function.effects) {
            if (!effect.object) continue;
            const Type& type = function.parameters[effect.object->parameter].type;
            identifiers_.insert(type.is_pointer() ? type.inner->name : type.name);
        }
    }
}

const std::string* ReflectionTypes::handle_of(const Type& type) const {
    if (!type.is_pointer() || type.inner->kind != Type::Kind::named) return nullptr;
    const auto handle = std::find_if(model_.facts.handles.begin(), model_.facts.handles.end(),
                                     [&](const auto& each) { return each.tag == type.inner->name; });
    return handle != model_.facts.handles.end() ? &handle->name : nullptr;
}

std::size_t ReflectionTypes::add_row(const std::string& name) {
    spec::Json row = spec::object_for(12);
    row["name"] = name;
    row["kind"] = "nothing";
    row["size"] = 0;
    for (const char* rare : {"union", "bit_set", "inner", "extent", "fields", "enumerators"}) row[rare] = false;
    types.push_back(std::move(row));
    return types.size() - 1;
}

std::size_t ReflectionTypes::number_of(const Type& type) {
    const Type plain = without_const(type);
    const std::string key = print_type(plain, [](const std::string& name) { return name; });
    const auto known = numbers_.find(key);
    if (known != numbers_.end()) return known->second;
    const std::size_t number = add_row(plain.kind == Type::Kind::named ? plain.name : "");
    numbers_.emplace(key, number);  // before it is described: a record may hold a pointer to its like
    describe(plain, number);
    return number;
}

void ReflectionTypes::describe(const Type& type, std::size_t number) {
    const bool is_incomplete = type.is_void() || (type.kind == Type::Kind::named && model_.types.contains(type.name) &&
                                                  model_.types.at(type.name) == TypeKind::tag);
    if (!is_incomplete) types[number]["size"] = layout_of(model_, type).size;
    if (type.kind == Type::Kind::named) {
        describe_name(type.name, number);
    } else if (type.is_function_pointer() || type.kind == Type::Kind::function) {
        types[number]["kind"] = "function";
    } else if (const std::string* const handle = handle_of(type)) {
        // What a header spells out in one place and names in another: a handle to what is constant, for example.
        types[number]["name"] = *handle;
        types[number]["kind"] = "handle";
    } else {
        types[number]["kind"] = type.is_pointer() ? "pointer" : "array";
        if (type.kind == Type::Kind::array) types[number]["extent"] = {{"elements", type.extent}};
        const std::size_t inner = number_of(*type.inner);
        types[number]["inner"] = {{"type", inner}};
    }
}

void ReflectionTypes::describe_name(const std::string& name, std::size_t number) {
    const auto known = model_.types.find(name);
    const TypeKind kind = known != model_.types.end() ? known->second : TypeKind::standard;
    if (kind == TypeKind::enumeration) return describe_enum(*model_.enums.at(name), number);
    if (kind == TypeKind::record) return describe_record(*model_.records.at(name), number);
    if (kind == TypeKind::handle) {
        types[number]["kind"] = "handle";
    } else if (kind == TypeKind::callback) {
        types[number]["kind"] = "function";
    } else if (kind == TypeKind::standard) {
        types[number]["kind"] = scalar_kind(name);
    } else if (kind == TypeKind::alias) {
        // All that the other is, under a name of its own; but a handle by any name is the same handle.
        const std::size_t target = number_of(parse_type(model_.alias_types.at(name), name));
        spec::Json row = types[target];
        if (row["kind"] != "handle") row["name"] = name;
        if (identifiers_.contains(name) && row["kind"] == "unsigned_integer") row["kind"] = "identifier";
        types[number] = std::move(row);
    }
}

void ReflectionTypes::describe_enum(const spec::Enum& entry, std::size_t number) {
    const auto name = model_.enum_names.find(entry.name);
    const std::string& in_cpp = name != model_.enum_names.end() ? name->second : entry.name;
    spec::Json& row = types[number];
    row["name"] = in_cpp;
    row["kind"] = "enumeration";
    const auto& bit_sets = model_.overrides.bit_sets;
    row["bit_set"] = std::find(bit_sets.begin(), bit_sets.end(), in_cpp) != bit_sets.end();
    if (!entry.enumerators.empty()) row["enumerators"] = {{"of", in_cpp}};
}

void ReflectionTypes::describe_record(const spec::RecordBody& record, std::size_t number) {
    spec::Json rows = spec::Json::array();  // set aside: describing the fields' types may add rows of other records
    for (const auto& field : record.fields) {
        const std::size_t type = number_of(field);
        rows.push_back({{"name", field.name}, {"type", type}, {"offset", field.offset}});
    }
    spec::Json& row = types[number];
    row["kind"] = "record";
    row["union"] = record.is_union;
    row["size"] = record.size;
    row["fields"] = {{"first_row", fields.size()}, {"count", rows.size()}};
    for (auto& each : rows) fields.push_back(std::move(each));
}

std::size_t ReflectionTypes::number_of(const spec::Field& field) {
    if (!field.record) return number_of(parse_type(field.type, field.name));
    std::size_t number = add_row(field.record->name);
    describe_record(*field.record, number);
    std::int64_t size = field.record->size;
    for (auto extent = field.extents.rbegin(); extent != field.extents.rend(); ++extent) {
        const std::size_t inner = number;
        size *= *extent;
        number = add_row("");
        types[number]["kind"] = "array";
        types[number]["size"] = size;
        types[number]["inner"] = {{"type", inner}};
        types[number]["extent"] = {{"elements", *extent}};
    }
    return number;
}

}  // namespace cubind::gen::model
