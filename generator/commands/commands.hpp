// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "diff/pages.hpp"
#include "emit/file_batch.hpp"
#include "emit/outputs.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// One function per verb of the command line. Each returns the exit status and throws InputError when its input is wrong.
namespace cubind::gen::commands {

namespace fs = std::filesystem;

/// Where the inputs and outputs are; each defaults to its folder in the repository.
struct Folders {
    fs::path specs;
    fs::path templates;
    fs::path output;
    fs::path docs;
};

/// Headers of one release into api.json, beside the releases that it has.
int extract(const Folders& folders, const std::vector<std::string>& libraries, const std::vector<fs::path>& includes);

/// Headers of one release into the specs, generated code and pages, in one step. Writes nothing while something needs a person.
int update(const Folders& folders, const std::vector<std::string>& libraries, const std::vector<fs::path>& includes);

struct EmitOptions {
    bool check = false;                 ///< compare only
    std::vector<fs::path> vendor_docs;  ///< folders of the headers whose documentation goes into the output
};

/// Specs and templates to code.
int emit(const Folders& folders, std::vector<std::string> libraries, const EmitOptions& options);

/// What changed between two releases that the specs know, to standard output.
int diff(const Folders& folders, const std::string& before, const std::string& after, diff::Format format);

/// The pages of docs/releases, from the specs; with `check`, compares only.
int pages(const Folders& folders, bool check);

/// The decided model of one library to standard output, as JSON.
int model(const Folders& folders, const std::string& library);

/// What is bound, and what is undecided.
int report(const Folders& folders);

/// What a verb writes: files below a folder, and the subfolders that hold nothing else.
struct Written {
    fs::path folder;
    emit::Outputs outputs;
    std::vector<std::string> subfolders;

    /// Stages the files that differ, and gives the line that says how many they are.
    std::string stage(emit::FileBatch& batch) const;
    /// Changes nothing, names each file that differs, and `verb` as the remedy. Returns the exit status.
    int check(const std::string& verb) const;
    /// Writes the files that differ, or checks them. Returns the exit status.
    int settle(bool only_check, const std::string& verb) const;
};

/// Throws InputError unless each name has a folder in the specs; all libraries if none is named.
std::vector<std::string> known_libraries(const Folders& folders, const std::vector<std::string>& wanted);

}  // namespace cubind::gen::commands
