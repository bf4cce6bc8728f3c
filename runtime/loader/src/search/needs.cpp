// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/needs.hpp"

#include "search/candidate.hpp"
#include "search/search.hpp"
#include "search/toolkit_of.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Returns CUBIND_<NAME>_LIBRARY, for example, with capital letters and underscores.
std::string override_variable(const CatalogueRow& row) {
    constexpr const char* suffixes[] = {"_LIBRARY", "_HEADERS", "_STATIC_LIBRARY", "_BITCODE_LIBRARY", "_PROGRAM"};
    std::string text = std::string("CUBIND_") + (row.override_name != nullptr ? row.override_name : row.name);
    for (char& c : text) {
        if (c == '-') c = '_';
        if ('a' <= c && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return text + suffixes[static_cast<std::size_t>(row.kind)];
}

// Loads a dependency of `file`, which is of `toolkit`; returns its path, or an empty string if it is missing.
std::string load_need(const SearchContext& context, const CatalogueRow& row, const std::string& file,
                      const std::string& toolkit) {
    const CatalogueLibrary need(row);
    SearchContext search{.library = need.library, .places = context.places, .row = &row, .toolkit = toolkit};
    if (run_search(search)) return search.found.path;
    // An environment variable may name a `file` in a folder that no step searches. That folder then counts as the toolkit.
    if (!search.is_final_step && use_directory(search, file.substr(0, file.rfind('/')))) return search.found.path;
    SearchContext elsewhere{.library = need.library, .places = context.places, .row = &row};
    return run_search(elsewhere) ? elsewhere.found.path : std::string();
}

}  // namespace

CatalogueLibrary::CatalogueLibrary(const CatalogueRow& row) : variable(override_variable(row)) {
    library.name = row.name;
    library.environment_variable = variable.c_str();
    library.file_names = row.files.data();
    library.wheel_directories = row.wheels.data();
    library.from_os_loader_only = row.origin == Origin::driver;
}

void load_needs(SearchContext& context, const std::string& file) {
    if (context.row == nullptr || context.row->needs.front() == nullptr) return;
    const std::string toolkit = toolkit_of(file);
    for (const char* const* name = context.row->needs.data(); *name != nullptr; ++name) {
        const CatalogueRow* const row = find_row(ArtifactKind::library, *name);
        if (row == nullptr) continue;
        const std::string place = std::string("dependency ") + *name;
        const std::string path = load_need(context, *row, file, toolkit);
        if (path.empty()) {
            context.remark(place, "was not found");
        } else if (row->origin == Origin::toolkit && context.row->origin == Origin::toolkit && toolkit_of(path) != toolkit) {
            context.remark(place, path + " is not of the toolkit " + toolkit + ": toolkits are mixed");
        }
    }
}

}  // namespace CUBIND_NAMESPACE::detail
