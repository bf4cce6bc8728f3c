// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "diff/sides.hpp"
#include "diff/signature.hpp"

namespace cubind::gen::diff {
namespace {

/// A type's kind and what it names, in C.
struct Description {
    const char* kind;
    std::string text;
};

Side<Description> types_of(const spec::Facts& facts) {
    Side<Description> side;
    for (const auto& entry : facts.enums) side[entry.name] = {"enum", entry.underlying};
    for (const auto& entry : facts.records) side[entry.name] = {"record", entry.is_union ? "union" : "struct"};
    for (const auto& entry : facts.handles) side[entry.name] = {"handle", entry.tag + " *"};
    for (const auto& entry : facts.aliases) side[entry.name] = {"alias", entry.type};
    for (const auto& entry : facts.callbacks) side[entry.name] = {"callback", signature(entry)};
    return side;
}

struct EnumeratorPlace {
    std::string enumeration;
    std::int64_t value;
};

Side<EnumeratorPlace> enumerators_of(const spec::Facts& facts) {
    Side<EnumeratorPlace> side;
    for (const auto& entry : facts.enums) {
        for (const auto& enumerator : entry.enumerators) side[enumerator.name] = {entry.name, enumerator.value};
    }
    return side;
}

Side<const spec::Constant*> constants_of(const spec::Facts& facts) {
    Side<const spec::Constant*> side;
    for (const auto& entry : facts.constants) side[entry.name] = &entry;
    return side;
}

}  // namespace

spec::Json compare_types(const spec::Facts& before, const spec::Facts& after) {
    return compare_sides(
        types_of(before), types_of(after),
        [](const std::string& name, const Description& type) { return spec::Json{{"name", name}, {"kind", type.kind}}; },
        [](const std::string& name, const Description& was, const Description& is) {
            if (was.text == is.text && was.kind == std::string_view(is.kind)) return spec::Json();
            return spec::Json{{"name", name}, {"kind", is.kind}, {"old", was.text}, {"new", is.text}};
        });
}

spec::Json compare_enumerators(const spec::Facts& before, const spec::Facts& after) {
    return compare_sides(
        enumerators_of(before), enumerators_of(after),
        [](const std::string& name, const EnumeratorPlace& place) {
            return spec::Json{{"name", name}, {"enum", place.enumeration}, {"value", place.value}};
        },
        [](const std::string& name, const EnumeratorPlace& was, const EnumeratorPlace& is) {
            if (was.value == is.value) return spec::Json();
            return spec::Json{{"name", name}, {"enum", is.enumeration}, {"old", was.value}, {"new", is.value}};
        });
}

spec::Json compare_constants(const spec::Facts& before, const spec::Facts& after) {
    return compare_sides(
        constants_of(before), constants_of(after),
        [](const std::string& name, const spec::Constant* constant) {
            return spec::Json{{"name", name}, {"type", constant->type}, {"value", constant->value}};
        },
        [](const std::string& name, const spec::Constant* was, const spec::Constant* is) {
            if (was->value == is->value) return spec::Json();
            return spec::Json{{"name", name}, {"old", was->value}, {"new", is->value}};
        });
}

}  // namespace cubind::gen::diff
