// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "diff/sides.hpp"

namespace cubind::gen::diff {
namespace {

struct FieldPlace {
    std::string type;
    std::int64_t offset;
};

std::string type_text(const spec::Field& field) {
    if (!field.record) return field.type;
    std::string text = field.record->is_union ? "union" : "struct";
    for (const auto extent : field.extents) text += "[" + std::to_string(extent) + "]";
    return text;
}

/// Every path that offsetof takes: members of anonymous structs and unions stand in their parent.
void collect(const spec::RecordBody& record, const std::string& prefix, std::int64_t base, Side<FieldPlace>& side) {
    for (const auto& field : record.fields) {
        const std::string path = prefix + field.name;
        if (!field.name.empty()) side[path] = {type_text(field), base + field.offset};
        if (!field.record || !field.extents.empty()) continue;
        collect(*field.record, field.name.empty() ? prefix : path + ".", base + field.offset, side);
    }
}

Side<FieldPlace> fields_of(const spec::RecordBody& record) {
    Side<FieldPlace> side;
    collect(record, "", 0, side);
    return side;
}

spec::Json compare_fields(const Side<FieldPlace>& before, const Side<FieldPlace>& after) {
    spec::Json moved = spec::Json::array();
    spec::Json retyped = spec::Json::array();
    spec::Json result = compare_sides(
        before, after,
        [](const std::string& path, const FieldPlace& place) {
            return spec::Json{{"path", path}, {"type", place.type}, {"offset", place.offset}};
        },
        [&](const std::string& path, const FieldPlace& was, const FieldPlace& is) {
            if (was.offset != is.offset) moved.push_back({{"path", path}, {"old_offset", was.offset}, {"new_offset", is.offset}});
            if (was.type != is.type) retyped.push_back({{"path", path}, {"old", was.type}, {"new", is.type}});
            return spec::Json();
        });
    result.erase("changed");
    result["moved"] = std::move(moved);
    result["retyped"] = std::move(retyped);
    return result;
}

}  // namespace

spec::Json compare_records(const spec::Facts& before, const spec::Facts& after) {
    std::map<std::string, const spec::Record*> old_records;
    for (const auto& record : before.records) old_records[record.name] = &record;
    spec::Json list = spec::Json::array();
    for (const auto& record : after.records) {
        const auto old_record = old_records.find(record.name);
        if (old_record == old_records.end()) continue;
        const spec::Record& was = *old_record->second;
        spec::Json fields = compare_fields(fields_of(was), fields_of(record));
        bool same = was.size == record.size && was.alignment == record.alignment;
        for (const auto& changes : fields) same = same && changes.empty();
        if (same) continue;
        list.push_back({{"name", record.name},
                        {"old_size", was.size},
                        {"new_size", record.size},
                        {"old_alignment", was.alignment},
                        {"new_alignment", record.alignment},
                        {"fields", std::move(fields)}});
    }
    return list;
}

}  // namespace cubind::gen::diff
