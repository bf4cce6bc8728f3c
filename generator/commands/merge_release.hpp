// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/commands.hpp"
#include "extract/extractor.hpp"
#include "model/uses.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::commands {

/// The facts of one library before and after merging the headers of a release.
struct MergedLibrary {
    spec::LibraryConfig config;
    spec::Facts known;  ///< from api.json; without releases if the file does not exist
    spec::Facts fresh;  ///< from the headers
    spec::Facts merged;
    std::string text;            ///< content of the new api.json
    bool is_unchanged = false;   ///< whether api.json already has that text
    extract::Comments comments;  ///< documentation from the headers; printed on a terminal, never written to a file

    const std::string& release() const { return fresh.releases.front(); }
};

/// The libraries to merge.
struct LibrarySelection {
    std::vector<std::string> libraries;  ///< each must have its headers; if empty, all libraries whose headers are found
    bool with_comments = false;
};

struct MergedRelease {
    std::vector<MergedLibrary> libraries;
    std::vector<std::string> gaps;  ///< one line for each library whose headers are missing
};

/// Returns a function that returns the merged facts of a library, or those of its api.json if the release does not have it.
/// `merged_release` must outlive the function.
model::FactsOf merged_facts(const Folders& folders, const MergedRelease& merged_release);

/// Reads the headers of one release and merges them with the facts of the specs. Each library follows those that it uses. Writes
/// nothing.
MergedRelease merge_release(const Folders& folders, const LibrarySelection& selection, const std::vector<fs::path>& includes);

/// Adds each api.json that changes to `batch` and returns a line with their number.
std::string stage_specs(const Folders& folders, const MergedRelease& merged_release, emit::FileBatch& batch);

}  // namespace cubind::gen::commands
