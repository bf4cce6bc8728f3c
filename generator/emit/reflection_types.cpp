// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/reflection_types.hpp"

#include <algorithm>
#include <cctype>

#include "model/keywords.hpp"
#include "model/layout.hpp"

namespace cubind::gen::emit {

using model::Type;
using model::TypeKind;

namespace {

const char* scalar_kind(const std::string& name) {
    if (name == "void") return "nothing";
    if (name == "bool") return "boolean";
    if (name == "char") return "character";
    if (name == "float" || name == "double") return "floating";
    const bool is_unsigned = name.starts_with("unsigned") || name.starts_with("uint") || name == "size_t";
    return is_unsigned ? "unsigned_integer" : "signed_integer";
}

/// Returns the type without its const qualifiers, which make no difference to reflection.
Type without_const(Type type) {
    type.is_const = false;
    if (type.inner != nullptr) type.inner = std::make_shared<const Type>(without_const(*type.inner));
    return type;
}

std::string array_of(std::int64_t extent, const std::string& element) {
    return "array_of_" + std::to_string(extent) + "_" + element;
}

/// Returns the type in words, such as "pointer_to_char".
std::string in_words(const Type& type) {
    switch (type.kind) {
        case Type::Kind::named:
            return type.name;
        case Type::Kind::pointer:
            return "pointer_to_" + in_words(*type.inner);
        case Type::Kind::array:
            return array_of(type.extent, in_words(*type.inner));
        case Type::Kind::function:
            break;
    }
    std::string words = "function_returning_" + in_words(*type.inner);
    for (const auto& argument : type.arguments) words += "_from_" + in_words(argument);
    return words;
}

}  // namespace

std::string identifier_of(const std::string& text) {
    std::string identifier = text;
    for (char& c : identifier) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return model::is_keyword(identifier) ? identifier + "_" : identifier;
}

ReflectionTypes::ReflectionTypes(const model::Model& model) : model_(model) {
    for (const auto& function : model.functions) {
        for (const auto& effect : function.effects) {
            if (!effect.object) continue;
            const Type& type = function.parameters[effect.object->parameter].type;
            object_ids_.insert(type.is_pointer() ? type.inner->name : type.name);
        }
    }
}

spec::Json ReflectionTypes::types() const {
    spec::Json list = spec::Json::array();
    for (const auto& [identifier, entry] : types_) list.push_back(entry);
    return list;
}

spec::Json ReflectionTypes::field_lists() const {
    spec::Json list = spec::Json::array();
    for (const auto& [record, fields] : fields_) list.push_back({{"record", record}, {"fields", fields}});
    return list;
}

const std::string* ReflectionTypes::handle_of(const Type& type) const {
    if (!type.is_pointer() || type.inner->kind != Type::Kind::named) return nullptr;
    const auto handle = std::find_if(model_.facts.handles.begin(), model_.facts.handles.end(),
                                     [&](const auto& each) { return each.tag == type.inner->name; });
    if (handle != model_.facts.handles.end()) return &handle->name;
    const auto used = model_.used_handles.find(type.inner->name);
    return used != model_.used_handles.end() ? &used->second : nullptr;
}

std::string ReflectionTypes::add(const std::string& identifier, const std::string& name) {
    std::string unique = identifier;
    while (types_.contains(unique)) unique += "_";  // the spellings of two types may differ in punctuation only
    spec::Json entry = spec::object_for(12);
    entry["identifier"] = unique;
    entry["name"] = name;
    entry["kind"] = "nothing";
    entry["size"] = 0;
    for (const char* optional : {"union", "bit_set", "open", "inner", "extent", "fields", "enumerators"}) entry[optional] = false;
    types_.emplace(unique, std::move(entry));
    return unique;
}

std::string ReflectionTypes::name_of(const Type& type) {
    const Type plain = without_const(type);
    const std::string spelling = print_type(plain, [](const std::string& name) { return name; });
    const auto known = identifiers_.find(spelling);
    if (known != identifiers_.end()) return known->second;
    const std::string entry = add(identifier_of(in_words(plain)), plain.kind == Type::Kind::named ? plain.name : "");
    identifiers_.emplace(spelling, entry);  // before describe(): a record may hold a pointer to its own type
    describe(plain, entry);
    return entry;
}

void ReflectionTypes::describe(const Type& type, const std::string& entry) {
    const bool is_incomplete = type.is_void() || (type.kind == Type::Kind::named && model_.types.contains(type.name) &&
                                                  model_.types.at(type.name) == TypeKind::tag);
    spec::Json& json = types_.at(entry);
    // The size of an opaque record is known if a header defines it.
    if (!is_incomplete || model_.opaque_records.contains(type.name)) json["size"] = layout_of(model_, type).size;
    if (type.kind == Type::Kind::named) {
        describe_name(type.name, entry);
    } else if (type.is_function_pointer() || type.kind == Type::Kind::function) {
        json["kind"] = "function";
    } else if (const std::string* const handle = handle_of(type)) {
        // A header may write the pointer out instead of using the handle's name, for example to add const.
        json["name"] = *handle;
        json["kind"] = "handle";
    } else {
        json["kind"] = type.is_pointer() ? "pointer" : "array";
        if (type.kind == Type::Kind::array) json["extent"] = {{"elements", type.extent}};
        json["inner"] = {{"type", name_of(*type.inner)}};
    }
}

void ReflectionTypes::describe_name(const std::string& name, const std::string& entry) {
    const auto known = model_.types.find(name);
    const TypeKind kind = known != model_.types.end() ? known->second : TypeKind::standard;
    if (kind == TypeKind::enumeration) return describe_enum(*model_.enums.at(name), entry);
    if (kind == TypeKind::record) return describe_record(*model_.records.at(name), entry);
    spec::Json& json = types_.at(entry);
    if (kind == TypeKind::handle) {
        json["kind"] = "handle";
    } else if (kind == TypeKind::callback) {
        json["kind"] = "function";
    } else if (kind == TypeKind::standard) {
        json["kind"] = scalar_kind(name);
    } else if (kind == TypeKind::alias) {
        // An alias has its target's properties and its own name, except that a handle keeps the handle's name.
        spec::Json copy = types_.at(name_of(model::parse_type(model_.alias_types.at(name), name)));
        copy["identifier"] = entry;
        if (copy["kind"] != "handle") copy["name"] = name;
        if (object_ids_.contains(name) && copy["kind"] == "unsigned_integer") copy["kind"] = "identifier";
        json = std::move(copy);
    }
}

void ReflectionTypes::describe_enum(const spec::Enum& enumeration, const std::string& entry) {
    const std::string& in_cpp = name_of_enum(model_, enumeration.name);
    if (model_.used_types.contains(enumeration.name)) used_enums_.insert(&enumeration);
    spec::Json& json = types_.at(entry);
    json["name"] = in_cpp;
    json["kind"] = "enumeration";
    const auto is_one_of = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), in_cpp) != names.end() ||
               std::find(names.begin(), names.end(), enumeration.name) != names.end();
    };
    // The annotations of a library apply to its enums in each library that uses them.
    const spec::Overrides& declared = model::declaring_overrides(model_, enumeration.name);
    json["bit_set"] = is_one_of(model_.overrides.bit_sets) || is_one_of(declared.bit_sets);
    json["open"] = is_one_of(model_.overrides.open_enums) || is_one_of(declared.open_enums);
    if (!enumeration.enumerators.empty()) json["enumerators"] = {{"enumeration", in_cpp}};
}

void ReflectionTypes::describe_record(const spec::RecordBody& record, const std::string& entry) {
    spec::Json fields = spec::Json::array();
    std::size_t unnamed = 0;
    for (const auto& field : record.fields) {
        if (field.bits != 0) continue;  // a bit-field has no address
        const std::string name = field.name.empty() ? "unnamed_" + std::to_string(++unnamed) : field.name;
        const std::string type =
            field.record ? add_nested(field, name + "_of_" + entry) : name_of(model::parse_type(field.type, field.name));
        fields.push_back({{"name", field.name}, {"type", type}, {"offset", field.offset}});
    }
    spec::Json& json = types_.at(entry);
    json["kind"] = "record";
    json["union"] = record.is_union;
    json["size"] = record.size;
    if (fields.empty()) return;
    json["fields"] = {{"record", entry}};
    fields_.emplace(entry, std::move(fields));
}

std::string ReflectionTypes::add_nested(const spec::Field& field, const std::string& identifier) {
    std::string entry = add(identifier, field.record->name);
    describe_record(*field.record, entry);
    std::int64_t size = field.record->size;
    for (auto extent = field.extents.rbegin(); extent != field.extents.rend(); ++extent) {
        const std::string element = entry;
        size *= *extent;
        entry = add(array_of(*extent, element), "");
        spec::Json& json = types_.at(entry);
        json["kind"] = "array";
        json["size"] = size;
        json["inner"] = {{"type", element}};
        json["extent"] = {{"elements", *extent}};
    }
    return entry;
}

}  // namespace cubind::gen::emit
