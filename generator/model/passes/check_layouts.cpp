// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "error.hpp"
#include "model/layout.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

[[noreturn]] void fail(const Model& model, const std::string& place, const std::string& what) {
    throw InputError(model.place + "/api.json: records/" + place + ": " + what +
                     ". Undo the edit, or extract the headers again.");
}

std::string path_of(const spec::Field& field, const std::string& place) {
    return place + "." + (field.name.empty() ? "(unnamed)" : field.name);
}

/// Checks that sizes, alignments and extents are possible for a record before layouts are computed from them.
void check_numbers(const Model& model, const spec::RecordBody& record, const std::string& place) {
    constexpr std::int64_t max_alignment = 4096;
    const bool is_power = record.alignment > 0 && (record.alignment & (record.alignment - 1)) == 0;
    if (!is_power || record.alignment > max_alignment) {
        fail(model, place, "the alignment is " + std::to_string(record.alignment) + ", which is not a power of two up to 4096");
    }
    if (record.size < 0 || record.size >= max_bytes)
        fail(model, place, "the size is " + std::to_string(record.size) + ", which no record has");
    for (const auto& field : record.fields) {
        for (const auto extent : field.extents) {
            if (extent < 0 || extent >= max_bytes)
                fail(model, path_of(field, place), "the extent is " + std::to_string(extent) + ", which no array has");
        }
        if (field.record) check_numbers(model, *field.record, path_of(field, place));
    }
}

void check(const Model& model, const spec::RecordBody& record, const std::string& place) {
    std::int64_t end = 0;
    for (const auto& field : record.fields) {
        if (field.record) check(model, *field.record, path_of(field, place));
        const Layout layout = layout_of(model, field);
        const std::int64_t offset = record.is_union ? 0 : round_up(end, layout.alignment);
        if (offset != field.offset) {
            fail(model, place,
                 "the offset of " + (field.name.empty() ? "an unnamed field" : field.name) + " is " +
                     std::to_string(field.offset) + ", but its type and the fields before it result in " +
                     std::to_string(offset));
        }
        end = std::max(end, std::min(offset + layout.size, max_bytes));
    }
    const Layout natural = natural_layout(model, record);
    if (record.alignment < natural.alignment) {
        fail(model, place,
             "the alignment is " + std::to_string(record.alignment) + ", but a field requires " +
                 std::to_string(natural.alignment));
    }
    const std::int64_t size = std::max<std::int64_t>(round_up(natural.size, record.alignment), 1);
    if (record.size != size) {
        fail(model, place,
             "the size is " + std::to_string(record.size) + ", but the fields result in " + std::to_string(size) + " bytes");
    }
}

}  // namespace

void check_layouts(const Model& model) {
    for (const auto& record : model.facts.records) check_numbers(model, record, record.name);
    for (const auto& record : model.facts.records) check(model, record, record.name);
}

}  // namespace cubind::gen::model
