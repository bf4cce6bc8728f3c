// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include "error.hpp"
#include "model/passes/passes.hpp"
#include "spec/standard_types.hpp"

namespace cubind::gen::model {
namespace {

class TypeChecker {
public:
    explicit TypeChecker(Model& model) : model_(model) {}

    void check(const Type& type, const std::string& place) const {
        for_each_name(type, [&](const std::string& name, bool by_value) {
            if (model_.used_types.contains(name)) model_.mentioned_types.insert(name);
            check_used_type(model_, name, by_value, place);
            if (spec::is_standard_type(name) || model_.types.contains(name)) return;
            throw InputError(model_.place + "/api.json: " + place + " uses the type " + name +
                             ", which no entry defines; add the header that defines it to type_headers in library.json and "
                             "extract again, or add the library that has it to uses");
        });
    }
    void check(const std::string& type, const std::string& place) const { check(parse(type, place), place); }
    /// Checks a type whose definition is required.
    void check_value(const Type& type, const std::string& place) const {
        check(type, place);
        if (type.kind == Type::Kind::array) return check_value(*type.inner, place);
        if (!is_incomplete(model_, type)) return;
        throw InputError(model_.place + "/api.json: " + place + " uses the opaque record " + type.name +
                         " by value, but generated code does not define it; undo the edit, or extract the headers again");
    }
    Type parse(const std::string& type, const std::string& place) const {
        return parse_type(type, model_.place + "/api.json: " + place);
    }
    void check(const spec::RecordBody& record, const std::string& place) const {
        for (const auto& field : record.fields) {
            const std::string inner = place + "." + (field.name.empty() ? "(unnamed)" : field.name);
            if (field.record) {
                check(*field.record, inner);
            } else {
                check_value(parse(field.type, inner), inner);
            }
        }
    }

private:
    Model& model_;
};

/// Returns whether the type is an array under any of its names.
bool is_array(const Model& model, const Type& type) {
    if (type.kind != Type::Kind::named) return type.kind == Type::Kind::array;
    const std::string text = resolve_alias(model, type.name);
    return text.ends_with(']') && text.find('(') == std::string::npos;
}

}  // namespace

void name_enums(Model& model) {
    std::map<std::string, std::vector<std::string>> names;
    for (const auto& alias : model.facts.aliases) {
        if (!alias.is_macro) names[alias.type].push_back(alias.name);
    }
    for (const auto& entry : model.facts.enums) {
        const auto aliases = names.find(entry.name);
        if (aliases != names.end() && aliases->second.size() == 1) model.enum_names[entry.name] = aliases->second.front();
    }
}

void declare_types(Model& model) {
    for (const auto& entry : model.facts.enums) {
        model.types[entry.name] = TypeKind::enumeration;
        model.enums[entry.name] = &entry;
    }
    for (const auto& entry : model.facts.records) {
        model.types[entry.name] = TypeKind::record;
        model.records[entry.name] = &entry;
    }
    for (const auto& entry : model.facts.opaque_records) {
        model.types[entry.name] = TypeKind::tag;
        model.opaque_records[entry.name] = &entry;
    }
    for (const auto& entry : model.facts.aliases) {
        model.types[entry.name] = TypeKind::alias;
        model.alias_types[entry.name] = entry.type;
    }
    for (const auto& entry : model.facts.callbacks) model.types[entry.name] = TypeKind::callback;
    for (const auto& entry : model.facts.handles) {
        model.types.emplace(entry.tag, TypeKind::tag);
        model.used_types.erase(entry.tag);
        model.types[entry.name] = TypeKind::handle;
    }
}

void resolve_types(Model& model) {
    declare_types(model);
    const TypeChecker checker(model);
    for (const auto& entry : model.facts.records) checker.check(entry, "records/" + entry.name);
    for (const auto& entry : model.facts.aliases) checker.check(entry.type, "aliases/" + entry.name);
    for (const auto& entry : model.facts.constants) checker.check(entry.type, "constants/" + entry.name);
    for (const auto& entry : model.facts.variables) {
        const std::string place = "variables/" + entry.name;
        checker.check_value(checker.parse(entry.type, place), place);
    }
    for (const auto& entry : model.facts.callbacks) {
        checker.check(entry.returns, "callbacks/" + entry.name);
        for (const auto& parameter : entry.parameters) checker.check(parameter.type, "callbacks/" + entry.name);
    }
    check_nesting(model);
    for (const auto& entry : model.facts.functions) {
        const std::string place = "functions/" + entry.name;
        Function function;
        function.symbol = entry.name;
        function.header = entry.header;
        function.group = entry.group;
        function.since = entry.since;
        function.removed = entry.removed;
        function.view = entry.view;
        function.is_macro = entry.is_macro;
        function.returns = checker.parse(entry.returns, place);
        checker.check_value(function.returns, place);
        for (const auto& parameter : entry.parameters) {
            Parameter fresh;
            fresh.vendor_name = parameter.name;
            fresh.type = checker.parse(parameter.type, place);
            fresh.stated_direction = parameter.direction;
            fresh.default_value = parameter.default_value;
            fresh.extent = parameter.extent;
            fresh.points_to_array = fresh.type.is_pointer() && is_array(model, *fresh.type.inner);
            const auto named = model.types.find(fresh.type.name);
            fresh.is_callback =
                fresh.type.is_function_pointer() || (named != model.types.end() && named->second == TypeKind::callback);
            checker.check_value(fresh.type, place);
            function.parameters.push_back(std::move(fresh));
        }
        model.functions.push_back(std::move(function));
    }
    resolve_status(model);
    checker.check(model.config.status.type, "status/type");
    check_uses(model);
}

const std::string& name_of_enum(const Model& model, const std::string& tag) {
    const auto name = model.enum_names.find(tag);
    return name != model.enum_names.end() ? name->second : tag;
}

std::string resolve_alias(const Model& model, const std::string& name) {
    const auto alias = model.alias_types.find(name);
    return alias != model.alias_types.end() ? resolve_alias(model, alias->second) : name;
}

std::optional<std::int64_t> value_of_constant(const Model& model, const std::string& name) {
    for (const auto& constant : model.facts.constants) {
        if (constant.name == name) return constant.value;
    }
    for (const auto& entry : model.facts.enums) {
        for (const auto& enumerator : entry.enumerators) {
            if (enumerator.name == name) return enumerator.value;
        }
    }
    return std::nullopt;
}

bool is_incomplete(const Model& model, const Type& type) {
    if (type.kind != Type::Kind::named) return false;
    const auto opaque = model.opaque_records.find(resolve_alias(model, type.name));
    return opaque != model.opaque_records.end() && (!opaque->second->is_system || opaque->second->size == 0);
}

bool is_record(const Model& model, const Type& type) {
    if (type.kind != Type::Kind::named) return false;
    const auto kind = model.types.find(resolve_alias(model, type.name));
    return kind != model.types.end() && kind->second == TypeKind::record;
}

std::string Model::qualify(const std::string& name) const {
    const auto enum_name = enum_names.find(name);
    if (enum_name != enum_names.end()) return enum_name->second;
    const auto kind = types.find(name);
    // Opaque structs are the vendor's global types, so that handles are compatible with the vendor's headers.
    return kind != types.end() && kind->second == TypeKind::tag ? "::" + name : name;
}

}  // namespace cubind::gen::model
