// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/gather.hpp"

#include "commands/parallel.hpp"
#include "error.hpp"
#include "extract/header_release.hpp"
#include "joined.hpp"
#include "spec/facts_file.hpp"
#include "spec/merge.hpp"

#include <algorithm>

namespace cubind::gen::commands {
namespace {

/// The first of the library's headers that no folder has; empty if all are there.
std::string missing_header(const spec::LibraryConfig& config, const std::vector<fs::path>& includes) {
    for (const auto& header : config.headers) {
        const auto has = [&](const fs::path& folder) { return fs::is_regular_file(folder / header); };
        if (std::none_of(includes.begin(), includes.end(), has)) return header;
    }
    return {};
}

Gathered gather_library(const Folders& folders, const spec::LibraryConfig& config, const Wanted& wanted,
                        const std::vector<fs::path>& includes, const std::string& release) {
    Gathered gathered;
    gathered.config = config;
    gathered.known.library = config.library;
    const fs::path file = folders.specs / config.library / "api.json";
    if (fs::exists(file)) gathered.known = spec::read_facts(file);
    gathered.fresh = extract::extract(config, includes, release, wanted.with_comments ? &gathered.comments : nullptr);
    gathered.merged = spec::merge(gathered.known, gathered.fresh);
    gathered.text = spec::facts_text(gathered.merged);
    gathered.is_same = fs::exists(file) && spec::read_text(file) == gathered.text;
    return gathered;
}

}  // namespace

Gathering gather(const Folders& folders, const Wanted& wanted, const std::vector<fs::path>& includes) {
    for (const auto& folder : includes) {
        if (!fs::is_directory(folder)) throw InputError(folder.string() + ": is not a folder; give --include a folder with CUDA headers");
    }
    std::vector<spec::LibraryConfig> configs;
    for (const auto& library : known_libraries(folders, wanted.libraries)) {
        configs.push_back(spec::read_library(folders.specs / library / "library.json"));
    }
    const std::string release = extract::find_release(configs, includes);
    Gathering gathering;
    std::map<std::string, spec::LibraryConfig> found;
    std::vector<std::string> names;
    for (const auto& config : configs) {
        const std::string missing = wanted.libraries.empty() ? missing_header(config, includes) : "";
        if (missing.empty()) {
            names.push_back(config.library);
            found.emplace(config.library, config);
        } else {
            gathering.gaps.push_back(config.library + ": " + missing + " is not in " + joined(includes) + "; its spec stays as it is");
        }
    }
    if (names.empty()) {
        throw InputError("no library of " + folders.specs.string() + " has its headers in " + joined(includes) +
                         "; give --include the folder with cuda.h");
    }
    gathering.libraries = for_each_library(names, "reading the headers of", [&](const std::string& library) {
        return gather_library(folders, found.at(library), wanted, includes, release);
    });
    return gathering;
}

std::string stage_specs(const Folders& folders, const Gathering& gathering, emit::FileBatch& batch) {
    std::size_t changed = 0;
    for (const auto& each : gathering.libraries) {
        if (each.is_same) continue;
        batch.add(folders.specs / each.config.library / "api.json", each.text);
        ++changed;
    }
    return folders.specs.string() + ": " + std::to_string(changed) + " of " + std::to_string(gathering.libraries.size()) +
           " api.json changed\n";
}

}  // namespace cubind::gen::commands
