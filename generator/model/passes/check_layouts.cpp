// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "error.hpp"
#include "model/layout.hpp"
#include "model/passes/passes.hpp"

#include <algorithm>

namespace cubind::gen::model {
namespace {

void check(const Model& model, const spec::RecordBody& record, const std::string& place) {
    const auto fail = [&](const std::string& what) {
        throw InputError(model.place + "/api.json: records/" + place + ": " + what + "; undo the edit, or extract the headers again");
    };
    std::int64_t end = 0;
    for (const auto& field : record.fields) {
        const std::string path = place + "." + (field.name.empty() ? "(unnamed)" : field.name);
        if (field.record) check(model, *field.record, path);
        const Layout layout = layout_of(model, field);
        const std::int64_t offset = record.is_union ? 0 : round_up(end, layout.alignment);
        if (offset != field.offset) {
            fail("offset of " + (field.name.empty() ? "an unnamed field" : field.name) + " is " + std::to_string(field.offset) +
                 ", but its type and the fields before it put it at " + std::to_string(offset));
        }
        end = std::max(end, offset + layout.size);
    }
    const Layout natural = natural_layout(model, record);
    if (record.alignment < natural.alignment) {
        fail("alignment is " + std::to_string(record.alignment) + ", but a field needs " + std::to_string(natural.alignment));
    }
    const std::int64_t size = std::max<std::int64_t>(round_up(natural.size, record.alignment), 1);
    if (record.size != size) {
        fail("size is " + std::to_string(record.size) + ", but its fields make " + std::to_string(size) + " bytes");
    }
}

}  // namespace

void check_layouts(const Model& model) {
    for (const auto& record : model.facts.records) check(model, record, record.name);
}

}  // namespace cubind::gen::model
