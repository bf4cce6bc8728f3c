// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/find.hpp>

#include <algorithm>

#include "platform/dynamic_library.hpp"
#include "search/needs.hpp"
#include "search/search.hpp"
#include "search/toolkit_of.hpp"

namespace CUBIND_NAMESPACE {

namespace {

using detail::CatalogueRow;

constexpr const char* kind_names[] = {"library", "headers", "static library", "bitcode library", "program"};

const char* name_of(ArtifactKind kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

Location unknown_name(ArtifactKind kind, std::string_view name) {
    std::string known;
    for (const std::string_view each : known_names(kind)) known.append(known.empty() ? "" : ", ").append(each);
    Location location{.status = FindStatus::unknown_name};
    location.message =
        "cubind's catalogue has no " + std::string(name_of(kind)) + " \"" + std::string(name) + "\"; it has " + known + ".\n";
    return location;
}

Location wrong_platform(const CatalogueRow& row) {
    Location location{.status = FindStatus::wrong_platform};
    location.message = std::string("NVIDIA publishes ") + row.name + " (" + name_of(row.kind) +
                       ") only for AArch64, and this process runs on another processor.\n";
    return location;
}

// Runs the search and describes its result.
Location run(detail::SearchContext& search) {
    Location location;
    if (detail::run_search(search)) {
        location = {.status = FindStatus::found,
                    .path = search.found.path,
                    .found_via = search.step,
                    .version = detail::version_of(search.found.path)};
    } else {
        location.message = detail::missing_text(search);
    }
    location.notes = std::move(search.notes);
    return location;
}

Location locate_row(const CatalogueRow& row, const std::string& toolkit = {}) {
    const detail::CatalogueLibrary named(row);
    detail::SearchContext search{.library = named.library, .places = {}, .row = &row, .opens = false, .toolkit = toolkit};
    return run(search);
}

bool is_loaded(const CatalogueRow& row) {
    for (const char* const* name = row.files.data(); *name != nullptr; ++name) {
        if (detail::LibraryHandle(detail::find_loaded_library(*name)) != nullptr) return true;
    }
    detail::loader_error();
    return false;
}

// The toolkits of the located libraries of the toolkit, each once, in the order of their libraries.
std::vector<std::string> toolkits_of(const std::vector<const CatalogueRow*>& rows, const std::vector<Location>& locations) {
    std::vector<std::string> toolkits;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == nullptr || rows[i]->origin != detail::Origin::toolkit || !locations[i].ok()) continue;
        std::string toolkit = detail::toolkit_of(locations[i].path);
        if (std::find(toolkits.begin(), toolkits.end(), toolkit) == toolkits.end()) toolkits.push_back(std::move(toolkit));
    }
    return toolkits;
}

// Replaces the locations by those in one toolkit if the toolkit has all of the libraries; returns whether it has.
bool relocate(const std::vector<const CatalogueRow*>& rows, std::vector<Location>& locations, const std::string& toolkit) {
    std::vector<Location> others = locations;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == nullptr || rows[i]->origin != detail::Origin::toolkit || !locations[i].ok()) continue;
        if (detail::toolkit_of(locations[i].path) == toolkit) continue;
        others[i] = locate_row(*rows[i], toolkit);
        if (!others[i].ok() || detail::toolkit_of(others[i].path) != toolkit) return false;
        others[i].notes.push_back(locations[i].path + ": was passed over, because " + toolkit + " has all libraries of the set");
    }
    locations = std::move(others);
    return true;
}

}  // namespace

Location locate(ArtifactKind kind, std::string_view name) {
    const CatalogueRow* const row = detail::find_row(kind, name);
    if (row == nullptr) return unknown_name(kind, name);
    return detail::is_on_this_platform(*row) ? locate_row(*row) : wrong_platform(*row);
}

std::vector<Location> locate_together(std::span<const std::string_view> libraries) {
    std::vector<const CatalogueRow*> rows;
    std::vector<Location> locations;
    for (const std::string_view name : libraries) {
        rows.push_back(detail::find_row(ArtifactKind::library, name));
        locations.push_back(locate(ArtifactKind::library, name));
    }
    const std::vector<std::string> toolkits = toolkits_of(rows, locations);
    if (toolkits.size() < 2) return locations;
    for (const std::string& toolkit : toolkits) {
        if (relocate(rows, locations, toolkit)) return locations;
    }
    std::string all;
    for (const std::string& toolkit : toolkits) all += (all.empty() ? "" : ", ") + toolkit;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == nullptr || rows[i]->origin != detail::Origin::toolkit || !locations[i].ok()) continue;
        locations[i].notes.push_back("toolkits are mixed, because none has all libraries of the set: " + all);
    }
    return locations;
}

LoadedLibrary load_library(std::string_view name) {
    const CatalogueRow* const row = detail::find_row(ArtifactKind::library, name);
    if (row == nullptr) return {.location = unknown_name(ArtifactKind::library, name)};
    if (!detail::is_on_this_platform(*row)) return {.location = wrong_platform(*row)};
    const bool was_loaded = is_loaded(*row);
    const detail::CatalogueLibrary named(*row);
    detail::SearchContext search{.library = named.library, .places = {}, .row = row};
    LoadedLibrary loaded{.location = run(search)};
    loaded.handle = search.found.handle;
    loaded.was_loaded = loaded.location.ok() && was_loaded;
    return loaded;
}

std::vector<std::string_view> known_names(ArtifactKind kind) {
    std::vector<std::string_view> names;
    for (const CatalogueRow& row : detail::catalogue()) {
        if (row.kind == kind && detail::is_on_this_platform(row)) names.emplace_back(row.name);
    }
    return names;
}

std::string diagnose(std::string_view name) {
    std::string text;
    for (const CatalogueRow& row : detail::catalogue()) {
        if (row.name != name) continue;
        if (!text.empty()) text += '\n';
        text += std::string(row.name) + " (" + name_of(row.kind) + ")\n";
        if (!detail::is_on_this_platform(row)) {
            text += "  " + wrong_platform(row).message;
            continue;
        }
        const detail::CatalogueLibrary named(row);
        detail::SearchContext search{.library = named.library, .places = {}, .row = &row, .opens = false};
        const Location location = run(search);
        if (location.ok()) {
            text += "  " + location.path + ", found via " + location.found_via;
            text += location.version.empty() ? "\n" : ", version " + location.version + "\n";
            for (const std::string& note : location.notes) text += "  note: " + note + "\n";
            if (!search.log.empty()) text += "Searched before:\n" + search.log;
        } else {
            text += location.message;
        }
    }
    return text.empty() ? unknown_name(ArtifactKind::library, name).message : text;
}

}  // namespace CUBIND_NAMESPACE
