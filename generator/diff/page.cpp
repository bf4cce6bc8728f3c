// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/page.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cubind::gen::diff {
namespace {

using spec::Json;

/// Splits a list into the entries that satisfy `predicate` and the others.
template <class Predicate>
std::pair<Json, Json> split(const Json& list, Predicate predicate) {
    std::pair<Json, Json> parts{Json::array(), Json::array()};
    for (const auto& entry : list) (predicate(entry) ? parts.first : parts.second).push_back(entry);
    return parts;
}

/// Adds a section of the page under `name`, with its length and a flag that is true if it is not empty.
void add_section(Json& library, const std::string& name, Json list) {
    library["has_" + name] = !list.empty();
    library[name + "_count"] = list.size();
    library[name] = std::move(list);
}

Json with_name_flags(Json names) {
    for (auto& name : names) {
        for (const char* key : {"old", "new", "old_per_thread", "new_per_thread"})
            name[std::string("has_") + key] = name[key] != "";
    }
    return names;
}

Json with_group_flags(Json functions) {
    for (auto& function : functions) function["has_group"] = function["group"] != "";
    return functions;
}

Json with_record_flags(Json records) {
    for (auto& record : records) {
        record["has_new_size"] = record["old_size"] != record["new_size"];
        record["has_new_alignment"] = record["old_alignment"] != record["new_alignment"];
        for (const auto& [kind, fields] : record["fields"].items()) record[kind] = fields;
    }
    return records;
}

/// Returns whether the name of a field states that the field reserves space for later ones.
bool is_reserved(const Json& field) {
    const std::string path = field["path"];
    const std::string name = path.substr(path.rfind('.') + 1);
    const std::size_t end = name.find_last_not_of("_0123456789") + 1;
    return std::set<std::string>{"reserved", "padding", "pad", "unused"}.contains(name.substr(0, end));
}

/// Returns whether a record only gained fields in reserved space, so that existing programs still work.
bool is_compatible(const Json& record) {
    if (record["old_size"] != record["new_size"] || record["old_alignment"] != record["new_alignment"]) return false;
    for (const char* kind : {"removed", "moved", "retyped"}) {
        const Json& fields = record["fields"][kind];
        if (!std::all_of(fields.begin(), fields.end(), is_reserved)) return false;
    }
    return true;
}

/// Groups enumerators by enum and sorts each group by value.
Json group_by_enum(const Json& enumerators) {
    std::map<std::string, Json> enums;
    for (const auto& enumerator : enumerators) enums[enumerator["enum"].get<std::string>()].push_back(enumerator);
    Json list = Json::array();
    for (auto& [name, members] : enums) {
        std::sort(members.begin(), members.end(), [](const Json& a, const Json& b) { return a["value"] < b["value"]; });
        list.push_back({{"enum", name}, {"enumerators", std::move(members)}});
    }
    return list;
}

Json library_page(const Json& library) {
    const auto is_public = [](const Json& function) { return function["public"].get<bool>(); };
    const auto has_old_meaning = [](const Json& name) { return name["old"] != ""; };
    // The values of these macros are the release, so they differ on every page and are left out.
    const auto is_release = [&](const Json& constant) {
        const Json& macros = library["release_macros"];
        return std::find(macros.begin(), macros.end(), constant["name"]) != macros.end();
    };

    Json page{{"library", library["library"]}, {"title", library["title"]}};
    const auto [changed_names, added_names] = split(library["public_names"], has_old_meaning);
    const auto [compatible_records, broken_records] = split(library["records"], is_compatible);
    add_section(page, "names_changed", with_name_flags(changed_names));
    add_section(page, "signatures_changed", library["functions"]["changed"]);
    add_section(page, "functions_removed", library["functions"]["removed"]);
    add_section(page, "types_changed", library["types"]["changed"]);
    add_section(page, "types_removed", library["types"]["removed"]);
    add_section(page, "records_changed", with_record_flags(broken_records));
    add_section(page, "enumerators_changed", library["enumerators"]["changed"]);
    add_section(page, "enumerators_removed", group_by_enum(library["enumerators"]["removed"]));
    add_section(page, "constants_changed", split(library["constants"]["changed"], is_release).second);
    add_section(page, "constants_removed", library["constants"]["removed"]);
    add_section(page, "variables_changed", library["variables"]["changed"]);
    add_section(page, "variables_removed", library["variables"]["removed"]);
    std::size_t breaking = 0;
    for (const auto& [key, value] : page.items()) {
        if (key.ends_with("_count")) breaking += value.get<std::size_t>();
    }
    page["breaking_count"] = breaking;
    page["is_breaking"] = breaking > 0;

    const auto [shown, hidden] = split(library["functions"]["added"], is_public);
    add_section(page, "groups_added", library["groups"]["added"]);
    add_section(page, "functions_added", with_group_flags(shown));
    page["functions_added_have_groups"] = std::any_of(page["functions_added"].begin(), page["functions_added"].end(),
                                                      [](const Json& function) { return function["has_group"].get<bool>(); });
    add_section(page, "hidden_functions_added", hidden);
    add_section(page, "names_added", with_name_flags(added_names));
    add_section(page, "types_added", library["types"]["added"]);
    add_section(page, "records_grown", with_record_flags(compatible_records));
    add_section(page, "enumerators_added", group_by_enum(library["enumerators"]["added"]));
    add_section(page, "constants_added", library["constants"]["added"]);
    add_section(page, "variables_added", library["variables"]["added"]);
    std::size_t all = 0;
    for (const auto& [key, value] : page.items()) {
        if (key.ends_with("_count") && key != "breaking_count") all += value.get<std::size_t>();
    }
    page["is_extended"] = all > breaking;
    page["is_same"] = all == 0;
    return page;
}

}  // namespace

Json page(const Json& diff) {
    Json page{{"product", diff["product"]}, {"library_option", diff["library_option"]},
              {"old_release", diff["old"]}, {"new_release", diff["new"]},
              {"is_breaking", false},       {"is_extended", false},
              {"gaps", diff["gaps"]},       {"libraries", Json::array()}};
    for (const auto& library : diff["libraries"]) {
        page["libraries"].push_back(library_page(library));
        for (const char* flag : {"is_breaking", "is_extended"}) {
            if (page["libraries"].back()[flag].get<bool>()) page[flag] = true;
        }
    }
    return page;
}

}  // namespace cubind::gen::diff
