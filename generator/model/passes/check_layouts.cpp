// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "error.hpp"
#include "model/layout.hpp"
#include "model/passes/passes.hpp"
#include "spec/field_places.hpp"

namespace cubind::gen::model {
namespace {

[[noreturn]] void fail(const Model& model, const std::string& place, const std::string& what) {
    throw InputError(model.place + "/api.json: records/" + place + ": " + what +
                     ". Undo the edit, or extract the headers again.");
}

std::string path_of(const spec::Field& field, const std::string& place) {
    return place + "." + (field.name.empty() ? "(unnamed)" : field.name);
}

/// Returns an offset in bytes, with the bit for a bit-field that does not begin at a byte.
std::string in_bytes(std::int64_t bits) {
    return std::to_string(bits / 8) + (bits % 8 != 0 ? " and bit " + std::to_string(bits % 8) : "");
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
        if (field.bits < 0 || field.bits > 64 || field.bit < 0 || field.bit > 7 || (field.bits != 0 && field.record)) {
            fail(model, path_of(field, place),
                 "\"bits\" is " + std::to_string(field.bits) + " and \"bit\" is " + std::to_string(field.bit) +
                     ", which no bit-field has");
        }
        if (field.offset < 0 || field.offset >= max_bytes) {
            fail(model, path_of(field, place), "the offset is " + std::to_string(field.offset) + ", which no field has");
        }
        if (field.record) check_numbers(model, *field.record, path_of(field, place));
    }
}

void check(const Model& model, const spec::RecordBody& record, const std::string& place) {
    spec::FieldPlaces places(record.is_union);
    for (const auto& field : record.fields) {
        if (field.record) check(model, *field.record, path_of(field, place));
        const Layout layout = layout_of(model, field);
        const std::int64_t bit = places.place(layout.size, layout.alignment, field.bits);
        if (bit != field.offset * 8 + field.bit) {
            fail(model, place,
                 "the offset of " + (field.name.empty() ? "an unnamed field" : field.name) + " is " +
                     in_bytes(field.offset * 8 + field.bit) + ", but its type and the fields before it result in " +
                     in_bytes(bit));
        }
        if (places.size() > max_bytes) fail(model, place, "the fields are larger than any record");
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
