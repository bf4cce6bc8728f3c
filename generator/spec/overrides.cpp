// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/overrides.hpp"

#include "spec/archive.hpp"

namespace cubind::gen::spec {
template <class Archive>
void describe(Archive& archive, Adapter& value) {
    archive.required("calls", value.calls, identifier);
    archive.required("parameter", value.parameter, identifier);
    archive.required("unless", value.unless, identifier);
    archive.required("set", value.set, identifier);
}

template <class Archive>
void describe(Archive& archive, ObjectLifetime& value) {
    archive.optional("counted", value.counted);
    archive.optional("in_context", value.in_context);
    archive.required("begin", value.begin);
    archive.optional("end", value.end);
}

template <class Archive>
void describe(Archive& archive, AttributeAnnotation& value) {
    archive.optional("yes_or_no", value.yes_or_no);
    archive.optional("unit", value.unit);
    archive.optional("description", value.description);
}

template <class Archive>
void describe(Archive& archive, AttributeConfig& value) {
    archive.required("class", value.class_name);
    archive.required("prefix", value.prefix);
    archive.optional("left_out", value.left_out);
    archive.optional("annotations", value.annotations);
}

template <class Archive>
void describe(Archive& archive, Overrides& value) {
    archive.optional("functions", value.functions);
    archive.optional("parameters", value.parameters);
    archive.optional("not_exported", value.not_exported, symbol_pattern);
    archive.optional("exported_since", value.exported_since);
    archive.optional("wrong_tags", value.wrong_tags);
    archive.optional("adapters", value.adapters);
    archive.keys("adapters", value.adapters, identifier);
    archive.optional("groups", value.groups, identifier);
    archive.optional("initial_values", value.initial_values, value_or_name);
    archive.optional("objects", value.objects);
    archive.keys("objects", value.objects, prose);
    archive.optional("same_context", value.same_context);
    archive.optional("ends_contents", value.ends_contents);
    archive.optional("bit_sets", value.bit_sets, identifier);
    archive.optional("open_enums", value.open_enums, identifier);
    archive.optional("attributes", value.attributes);
    archive.optional("descriptions", value.descriptions, prose);
}

Overrides read_overrides(const std::filesystem::path& file) {
    const ParsedJson json = read_json(file);
    Reader reader(json, file.string());
    Overrides overrides;
    describe(reader, overrides);
    reader.finish();
    return overrides;
}

}  // namespace cubind::gen::spec
