// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/overrides.hpp"

#include "spec/archive.hpp"

namespace cubind::gen::spec {
template <class Archive>
void describe(Archive& archive, Adapter& value) {
    archive.required("calls", value.calls);
    archive.required("parameter", value.parameter);
    archive.required("unless", value.unless);
    archive.required("set", value.set);
}

template <class Archive>
void describe(Archive& archive, Overrides& value) {
    archive.optional("functions", value.functions);
    archive.optional("wrong_tags", value.wrong_tags);
    archive.optional("adapters", value.adapters);
    archive.optional("groups", value.groups);
    archive.optional("initial_values", value.initial_values);
    archive.optional("descriptions", value.descriptions);
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
