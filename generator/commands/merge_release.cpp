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

namespace cubind::gen::commands {
namespace {

/// Returns the first of the library's headers that is in no folder; empty if all are found.
std::string missing_header(const spec::LibraryConfig& config, const std::vector<fs::path>& includes) {
    for (const auto& header : config.headers) {
        const auto has = [&](const fs::path& folder) { return fs::is_regular_file(folder / header); };
        if (std::none_of(includes.begin(), includes.end(), has)) return header;
    }
    return {};
}

MergedLibrary merge_library(const Folders& folders, const spec::LibraryConfig& config, const LibrarySelection& selection,
                            const std::vector<fs::path>& includes, const std::string& release) {
    MergedLibrary merged_library;
    merged_library.config = config;
    merged_library.known.library = config.library;
    const fs::path file = folders.specs / config.library / "api.json";
    if (fs::exists(file)) merged_library.known = spec::read_facts(file);
    merged_library.fresh =
        extract::extract(config, includes, release, selection.with_comments ? &merged_library.comments : nullptr);
    merged_library.merged = spec::merge(merged_library.known, merged_library.fresh);
    merged_library.text = spec::facts_text(merged_library.merged);
    merged_library.is_unchanged = fs::exists(file) && spec::read_text(file) == merged_library.text;
    return merged_library;
}

}  // namespace

MergedRelease merge_release(const Folders& folders, const LibrarySelection& selection, const std::vector<fs::path>& includes) {
    for (const auto& folder : includes) {
        if (!fs::is_directory(folder))
            throw InputError(folder.string() + " is not a folder; pass a folder with CUDA headers to --include");
    }
    std::vector<spec::LibraryConfig> configs;
    for (const auto& library : select_libraries(folders, selection.libraries)) {
        configs.push_back(spec::read_library(folders.specs / library / "library.json"));
    }
    const std::string release = extract::find_release(configs, includes);
    MergedRelease merged_release;
    std::map<std::string, spec::LibraryConfig> found;
    std::vector<std::string> names;
    for (const auto& config : configs) {
        const std::string missing = selection.libraries.empty() ? missing_header(config, includes) : "";
        if (missing.empty()) {
            names.push_back(config.library);
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
    merged_release.libraries = for_each_library(names, "reading the headers of", [&](const std::string& library) {
        return merge_library(folders, found.at(library), selection, includes, release);
    });
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
