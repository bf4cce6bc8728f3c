// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/require_names.hpp"

#include "clang/cursor.hpp"
#include "error.hpp"

namespace cubind::gen::extract {
namespace {

void require(const std::string& text, const std::string& header, const std::string& place) {
    if (!clang::names_unnamed(text)) return;
    throw InputError(header + ": " + place + " has the type \"" + text +
                     "\", an enum, struct or union without a name, which the specs do not support, because generated code cannot "
                     "refer to it; leave out the header, or add a rule for such types to generator/extract");
}

void require(const spec::RecordBody& record, const std::string& header, const std::string& place) {
    for (const auto& field : record.fields) {
        const std::string path = place + "." + field.name;
        require(field.type, header, path);
        if (field.record) require(*field.record, header, path);
    }
}

template <class Callable>
void require_signature(const Callable& callable, const std::string& place) {
    require(callable.returns, callable.header, place);
    for (const auto& parameter : callable.parameters) require(parameter.type, callable.header, place + "/" + parameter.name);
}

template <class Entries>
void require_types(const Entries& entries, const std::string& kind) {
    for (const auto& entry : entries) require(entry.type, entry.header, kind + "/" + entry.name);
}

}  // namespace

void require_names(const spec::Facts& facts) {
    for (const auto& entry : facts.functions) require_signature(entry, "functions/" + entry.name);
    for (const auto& entry : facts.callbacks) require_signature(entry, "callbacks/" + entry.name);
    require_types(facts.aliases, "aliases");
    require_types(facts.constants, "constants");
    require_types(facts.variables, "variables");
    for (const auto& entry : facts.handles) require(entry.tag, entry.header, "handles/" + entry.name);
    for (const auto& entry : facts.records) require(entry, entry.header, "records/" + entry.name);
    // The entries above name what mentions these types, so these are last.
    for (const auto& entry : facts.records) require(entry.name, entry.header, "records");
    for (const auto& entry : facts.opaque_records) require(entry.name, entry.header, "opaque_records");
    for (const auto& entry : facts.enums) require(entry.name, entry.header, "enums");
}

}  // namespace cubind::gen::extract
