// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/commands.hpp"
#include "extract/extractor.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::commands {

/// One library's facts before and after the headers of a release were merged in.
struct Gathered {
    spec::LibraryConfig config;
    spec::Facts known;   ///< what api.json had; without releases if there was none
    spec::Facts fresh;   ///< what the headers state
    spec::Facts merged;
    std::string text;    ///< of the new api.json
    bool is_same = false;  ///< the api.json that is there has that text
    extract::Comments comments;  ///< the headers' documentation: for a terminal, never for a file

    const std::string& release() const { return fresh.releases.front(); }
};

/// Which libraries to look for.
struct Wanted {
    std::vector<std::string> libraries;  ///< all of them must be there; if none is named, all that the folders have
    bool with_comments = false;
};

struct Gathering {
    std::vector<Gathered> libraries;
    std::vector<std::string> gaps;  ///< for each library that the folders lack, a line that says so
};

/// Reads the headers of one release and merges them into what the specs know. Writes nothing.
Gathering gather(const Folders& folders, const Wanted& wanted, const std::vector<fs::path>& includes);

/// Stages each api.json that changes, and gives the line that says how many they are.
std::string stage_specs(const Folders& folders, const Gathering& gathering, emit::FileBatch& batch);

}  // namespace cubind::gen::commands
