// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/merge_release.hpp"

#include <algorithm>

#include "commands/parallel.hpp"
#include "error.hpp"
#include "extract/header_release.hpp"
#include "join_strings.hpp"
#include "spec/facts_file.hpp"
#include "spec/merge.hpp"
#include "spec/mixed_releases.hpp"
#include "spec/shared_types.hpp"

namespace cubind::gen::commands {
namespace {

/// Returns the first of the library's headers that is in no folder; empty if all are found. Headers that are younger than the
/// library do not count.
std::string missing_header(const spec::LibraryConfig& config, const std::vector<fs::path>& includes) {
    for (const auto& header : config.bound_headers()) {
        const auto has = [&](const fs::path& folder) { return fs::is_regular_file(folder / header); };
        if (!config.headers_since.contains(header) && std::none_of(includes.begin(), includes.end(), has)) return header;
    }
    return {};
}

std::vector<spec::LibraryConfig> all_configs(const Folders& folders) {
    std::vector<spec::LibraryConfig> configs;
    for (const auto& library : select_libraries(folders, {})) {
        configs.push_back(spec::read_library(folders.specs / library / "library.json"));
    }
    return configs;
}

/// Reads the known facts and those of the headers, but does not merge them.
MergedLibrary read_headers(const Folders& folders, const spec::LibraryConfig& config, const LibrarySelection& selection,
                           const std::vector<fs::path>& includes, const std::string& release) {
    MergedLibrary merged_library;
    merged_library.config = config;
    merged_library.known.library = config.library;
    const fs::path file = folders.specs / config.library / "api.json";
    if (fs::exists(file)) merged_library.known = spec::read_facts(file, config);
    merged_library.fresh =
        extract::extract(config, includes, release, selection.with_comments ? &merged_library.comments : nullptr);
    if (config.is_numbered_by_cuda() && config.version.is_stated()) {
        merged_library.fresh.versions[release] = extract::find_version(config, includes);
    }
    return merged_library;
}

/// Merges the facts of each library. The libraries must follow those that they use, whose types are removed from their facts.
void merge_libraries(const Folders& folders, MergedRelease& merged_release, const std::vector<fs::path>& includes) {
    const model::FactsOf facts_of = merged_facts(folders, merged_release);
    for (auto& library : merged_release.libraries) {
        for (const auto& used : model::used_libraries(folders.specs, library.config)) {
            const spec::Facts facts = facts_of(used);
            spec::check_shared_types(library.fresh, facts);
            for (auto* each : {&library.known, &library.fresh}) spec::remove_shared_types(*each, facts);
        }
        const fs::path file = folders.specs / library.config.library / "api.json";
        spec::check_mixed_releases(library.known, library.fresh, library.config, includes);
        library.merged = spec::merge(library.known, library.fresh);
        library.text = spec::facts_text(library.merged);
        library.is_unchanged = fs::exists(file) && spec::read_text(file) == library.text;
    }
}

}  // namespace

model::FactsOf merged_facts(const Folders& folders, const MergedRelease& merged_release) {
    return [&merged_release, on_disk = model::facts_on_disk(folders.specs)](const spec::LibraryConfig& config) {
        for (const auto& each : merged_release.libraries) {
            if (each.config.library == config.library) return each.merged;
        }
        return on_disk(config);
    };
}

MergedRelease merge_release(const Folders& folders, const LibrarySelection& selection, const std::vector<fs::path>& includes) {
    for (const auto& folder : includes) {
        if (!fs::is_directory(folder))
            throw InputError(folder.string() + " is not a folder; pass a folder with CUDA headers to --include");
    }
    std::vector<spec::LibraryConfig> configs;
    for (const auto& library : select_libraries(folders, selection.libraries)) {
        configs.push_back(spec::read_library(folders.specs / library / "library.json"));
    }
    MergedRelease merged_release;
    std::map<std::string, spec::LibraryConfig> found;
    std::vector<spec::LibraryConfig> complete;
    std::vector<std::string> names;
    for (const auto& config : configs) {
        const std::string missing = selection.libraries.empty() ? missing_header(config, includes) : "";
        if (missing.empty()) {
            names.push_back(config.library);
            complete.push_back(config);
            found.emplace(config.library, config);
        } else {
            merged_release.gaps.push_back(config.library + ": " + missing + " is not in " + join_strings(includes) +
                                          "; the spec stays unchanged");
        }
    }
    if (names.empty()) {
        throw InputError(join_strings(includes) + ": the headers of no library of " + folders.specs.string() +
                         " are complete here; pass the folder with cuda.h to --include");
    }
    const std::map<std::string, std::string> releases = extract::find_releases(complete, includes, all_configs(folders));
    merged_release.libraries =
        for_each_library(model::in_order_of_use(folders.specs, names), "reading the headers of", [&](const std::string& library) {
            return read_headers(folders, found.at(library), selection, includes, releases.at(library));
        });
    merge_libraries(folders, merged_release, includes);
    return merged_release;
}

std::string stage_specs(const Folders& folders, const MergedRelease& merged_release, emit::FileBatch& batch) {
    std::size_t changed = 0;
    for (const auto& each : merged_release.libraries) {
        if (each.is_unchanged) continue;
        batch.add(folders.specs / each.config.library / "api.json", each.text);
        ++changed;
    }
    return folders.specs.string() + ": " + std::to_string(changed) + " of " + std::to_string(merged_release.libraries.size()) +
           " api.json changed\n";
}

}  // namespace cubind::gen::commands
