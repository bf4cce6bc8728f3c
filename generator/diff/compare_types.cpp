// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "diff/compare_entries.hpp"
#include "diff/signature.hpp"

namespace cubind::gen::diff {
namespace {

/// The kind of a type and the C text of the type that it names.
struct Description {
    const char* kind;
    std::string text;
};

EntriesByName<Description> types_of(const spec::Facts& facts) {
    EntriesByName<Description> entries;
    for (const auto& entry : facts.enums) entries[entry.name] = {"enum", entry.underlying};
    for (const auto& entry : facts.records) entries[entry.name] = {"record", entry.is_union ? "union" : "struct"};
    for (const auto& entry : facts.opaque_records) {
        entries[entry.name] = {"opaque record", entry.is_union ? "union" : "struct"};
    }
    for (const auto& entry : facts.handles) entries[entry.name] = {"handle", entry.tag + " *"};
    for (const auto& entry : facts.aliases) entries[entry.name] = {"alias", entry.type};
    for (const auto& entry : facts.callbacks) entries[entry.name] = {"callback", signature(entry)};
    return entries;
}

struct EnumeratorPlace {
    std::string enumeration;
    std::int64_t value;
};

EntriesByName<EnumeratorPlace> enumerators_of(const spec::Facts& facts) {
    EntriesByName<EnumeratorPlace> entries;
    for (const auto& entry : facts.enums) {
        for (const auto& enumerator : entry.enumerators) entries[enumerator.name] = {entry.name, enumerator.value};
    }
    return entries;
}

EntriesByName<const spec::Constant*> constants_of(const spec::Facts& facts) {
    EntriesByName<const spec::Constant*> entries;
    for (const auto& entry : facts.constants) entries[entry.name] = &entry;
    return entries;
}

EntriesByName<std::string> variables_of(const spec::Facts& facts) {
    EntriesByName<std::string> entries;
    for (const auto& entry : facts.variables) entries[entry.name] = entry.type;
    return entries;
}

}  // namespace

spec::Json compare_types(const spec::Facts& before, const spec::Facts& after) {
    return compare_entries(
        types_of(before), types_of(after),
        [](const std::string& name, const Description& type) {
            return spec::Json{{"name", name}, {"kind", type.kind}};
        },
        [](const std::string& name, const Description& old_type, const Description& new_type) {
            if (old_type.text == new_type.text && old_type.kind == std::string_view(new_type.kind)) return spec::Json();
            return spec::Json{{"name", name}, {"kind", new_type.kind}, {"old", old_type.text}, {"new", new_type.text}};
        });
}

spec::Json compare_enumerators(const spec::Facts& before, const spec::Facts& after) {
    return compare_entries(
        enumerators_of(before), enumerators_of(after),
        [](const std::string& name, const EnumeratorPlace& place) {
            return spec::Json{{"name", name}, {"enum", place.enumeration}, {"value", place.value}};
        },
        [](const std::string& name, const EnumeratorPlace& old_place, const EnumeratorPlace& new_place) {
            if (old_place.value == new_place.value) return spec::Json();
            return spec::Json{
                {"name", name}, {"enum", new_place.enumeration}, {"old", old_place.value}, {"new", new_place.value}};
        });
}

spec::Json compare_constants(const spec::Facts& before, const spec::Facts& after) {
    return compare_entries(
        constants_of(before), constants_of(after),
        [](const std::string& name, const spec::Constant* constant) {
            return spec::Json{{"name", name}, {"type", constant->type}, {"value", constant->value}};
        },
        [](const std::string& name, const spec::Constant* old_constant, const spec::Constant* new_constant) {
            if (old_constant->value == new_constant->value) return spec::Json();
            return spec::Json{{"name", name}, {"old", old_constant->value}, {"new", new_constant->value}};
        });
}

spec::Json compare_variables(const spec::Facts& before, const spec::Facts& after) {
    return compare_entries(
        variables_of(before), variables_of(after),
        [](const std::string& name, const std::string& type) {
            return spec::Json{{"name", name}, {"type", type}};
        },
        [](const std::string& name, const std::string& old_type, const std::string& new_type) {
            if (old_type == new_type) return spec::Json();
            return spec::Json{{"name", name}, {"old", old_type}, {"new", new_type}};
        });
}

}  // namespace cubind::gen::diff
