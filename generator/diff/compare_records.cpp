// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "diff/compare_entries.hpp"

namespace cubind::gen::diff {
namespace {

struct FieldPlace {
    std::string type;
    std::int64_t offset;
};

std::string type_text(const spec::Field& field) {
    if (field.bits != 0) return field.type + " : " + std::to_string(field.bits) + ", bit " + std::to_string(field.bit);
    if (!field.record) return field.type;
    std::string text = field.record->is_union ? "union" : "struct";
    for (const auto extent : field.extents) text += "[" + std::to_string(extent) + "]";
    return text;
}

/// Collects every field by the path that offsetof accepts. Members of anonymous structs and unions belong to their parent.
void collect(const spec::RecordBody& record, const std::string& prefix, std::int64_t base, EntriesByName<FieldPlace>& entries) {
    for (const auto& field : record.fields) {
        const std::string path = prefix + field.name;
        if (!field.name.empty()) entries[path] = {type_text(field), base + field.offset};
        if (!field.record || !field.extents.empty()) continue;
        collect(*field.record, field.name.empty() ? prefix : path + ".", base + field.offset, entries);
    }
}

EntriesByName<FieldPlace> fields_of(const spec::RecordBody& record) {
    EntriesByName<FieldPlace> entries;
    collect(record, "", 0, entries);
    return entries;
}

spec::Json compare_fields(const EntriesByName<FieldPlace>& before, const EntriesByName<FieldPlace>& after) {
    spec::Json moved = spec::Json::array();
    spec::Json retyped = spec::Json::array();
    spec::Json result = compare_entries(
        before, after,
        [](const std::string& path, const FieldPlace& place) {
            return spec::Json{{"path", path}, {"type", place.type}, {"offset", place.offset}};
        },
        [&](const std::string& path, const FieldPlace& old_place, const FieldPlace& new_place) {
            if (old_place.offset != new_place.offset)
                moved.push_back({{"path", path}, {"old_offset", old_place.offset}, {"new_offset", new_place.offset}});
            if (old_place.type != new_place.type)
                retyped.push_back({{"path", path}, {"old", old_place.type}, {"new", new_place.type}});
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
        const auto found = old_records.find(record.name);
        if (found == old_records.end()) continue;
        const spec::Record& old_record = *found->second;
        spec::Json fields = compare_fields(fields_of(old_record), fields_of(record));
        bool is_same = old_record.size == record.size && old_record.alignment == record.alignment;
        for (const auto& changes : fields) is_same = is_same && changes.empty();
        if (is_same) continue;
        list.push_back({{"name", record.name},
                        {"old_size", old_record.size},
                        {"new_size", record.size},
                        {"old_alignment", old_record.alignment},
                        {"new_alignment", record.alignment},
                        {"fields", std::move(fields)}});
    }
    return list;
}

}  // namespace cubind::gen::diff
