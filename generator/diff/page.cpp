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

/// Those entries of a list of which `wanted` holds, and the others.
template <class Wanted>
std::pair<Json, Json> split(const Json& list, Wanted wanted) {
    std::pair<Json, Json> parts{Json::array(), Json::array()};
    for (const auto& entry : list) (wanted(entry) ? parts.first : parts.second).push_back(entry);
    return parts;
}

/// Puts a part of the page under `name`, with the flag that says whether there is anything in it, and its length.
void put(Json& library, const std::string& name, Json list) {
    library["has_" + name] = !list.empty();
    library[name + "_count"] = list.size();
    library[name] = std::move(list);
}

Json marked_names(Json names) {
    for (auto& name : names) {
        for (const char* key : {"old", "new", "old_per_thread", "new_per_thread"}) name[std::string("has_") + key] = name[key] != "";
    }
    return names;
}

Json marked_records(Json records) {
    for (auto& record : records) {
        record["has_new_size"] = record["old_size"] != record["new_size"];
        record["has_new_alignment"] = record["old_alignment"] != record["new_alignment"];
        for (const auto& [kind, fields] : record["fields"].items()) record[kind] = fields;
    }
    return records;
}

/// Room that a vendor keeps for fields to come, by the names that it gives it.
bool is_filler(const Json& field) {
    const std::string path = field["path"];
    const std::string name = path.substr(path.rfind('.') + 1);
    const std::size_t end = name.find_last_not_of("_0123456789") + 1;
    return std::set<std::string>{"reserved", "padding", "pad", "unused"}.contains(name.substr(0, end));
}

/// A record that only got fields in room that it had: programs built before go on working.
bool is_compatible(const Json& record) {
    if (record["old_size"] != record["new_size"] || record["old_alignment"] != record["new_alignment"]) return false;
    for (const char* kind : {"removed", "moved", "retyped"}) {
        const Json& fields = record["fields"][kind];
        if (!std::all_of(fields.begin(), fields.end(), is_filler)) return false;
    }
    return true;
}

/// Enumerators by the enum that holds them, in the order of their values.
Json by_enum(const Json& enumerators) {
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
    const auto was_there = [](const Json& name) { return name["old"] != ""; };
    // Its value is the release: that it changes is what the page is about.
    const auto is_release = [&](const Json& constant) { return constant["name"] == library["release_macro"]; };

    Json page{{"library", library["library"]}, {"title", library["title"]}};
    const auto [renamed, named] = split(library["public_names"], was_there);
    const auto [grown, broken] = split(library["records"], is_compatible);
    put(page, "names_changed", marked_names(renamed));
    put(page, "signatures_changed", library["functions"]["changed"]);
    put(page, "functions_removed", library["functions"]["removed"]);
    put(page, "types_changed", library["types"]["changed"]);
    put(page, "types_removed", library["types"]["removed"]);
    put(page, "records_changed", marked_records(broken));
    put(page, "enumerators_changed", library["enumerators"]["changed"]);
    put(page, "enumerators_removed", by_enum(library["enumerators"]["removed"]));
    put(page, "constants_changed", split(library["constants"]["changed"], is_release).second);
    put(page, "constants_removed", library["constants"]["removed"]);
    std::size_t breaking = 0;
    for (const auto& [key, value] : page.items()) {
        if (key.ends_with("_count")) breaking += value.get<std::size_t>();
    }
    page["breaking_count"] = breaking;
    page["is_breaking"] = breaking > 0;

    const auto [shown, hidden] = split(library["functions"]["added"], is_public);
    put(page, "groups_added", library["groups"]["added"]);
    put(page, "functions_added", shown);
    put(page, "hidden_functions_added", hidden);
    put(page, "names_added", marked_names(named));
    put(page, "types_added", library["types"]["added"]);
    put(page, "records_grown", marked_records(grown));
    put(page, "enumerators_added", by_enum(library["enumerators"]["added"]));
    put(page, "constants_added", library["constants"]["added"]);
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
    Json page{{"old_release", diff["old"]}, {"new_release", diff["new"]}, {"is_breaking", false}, {"is_extended", false},
              {"gaps", diff["gaps"]}, {"libraries", Json::array()}};
    for (const auto& library : diff["libraries"]) {
        page["libraries"].push_back(library_page(library));
        for (const char* flag : {"is_breaking", "is_extended"}) {
            if (page["libraries"].back()[flag].get<bool>()) page[flag] = true;
        }
    }
    return page;
}

}  // namespace cubind::gen::diff
