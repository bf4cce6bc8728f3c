// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diff/pages.hpp"
#include "emit/file_batch.hpp"
#include "emit/outputs.hpp"

/// One function for each command of the command line. Each returns the exit status and throws InputError if its input is wrong.
namespace cubind::gen::commands {

namespace fs = std::filesystem;

/// The folders of inputs and outputs. Each defaults to its folder in the repository.
struct Folders {
    fs::path specs;
    fs::path templates;
    fs::path output;
    fs::path docs;
};

/// Merges the headers of one release into each api.json. Releases that api.json already has are retained.
int extract(const Folders& folders, const std::vector<std::string>& libraries, const std::vector<fs::path>& includes);

/// Updates specs, generated code and pages from the headers of one release. Writes nothing for a library while one of its
/// questions is open, or one of a library that it uses.
int update(const Folders& folders, const std::vector<std::string>& libraries, const std::vector<fs::path>& includes);

struct EmitOptions {
    bool check = false;                 ///< compare with the files on disk and write nothing
    std::vector<fs::path> vendor_docs;  ///< folders of the headers whose documentation is copied into the output
};

/// Generates code from specs and templates.
int emit(const Folders& folders, std::vector<std::string> libraries, const EmitOptions& options);

struct DiffOptions {
    std::string before;
    std::string after;
    std::string library;  ///< the only library to compare; empty for all libraries that are numbered by releases of CUDA
    diff::Format format = diff::Format::text;
};

/// Prints what changed between two releases in the specs.
int diff(const Folders& folders, const DiffOptions& options);

/// Writes the pages of docs/releases from the specs. With `check`, compares them with the files on disk and writes nothing.
int pages(const Folders& folders, bool check);

/// Prints the model of one library as JSON.
int model(const Folders& folders, const std::string& library);

/// Prints the number of bound entries of each library and every open question.
int report(const Folders& folders);

struct KernelsOptions {
    std::vector<fs::path> includes;             ///< folders of the user's headers
    std::vector<fs::path> toolkit_includes;     ///< folders of CUDA's headers, which do not become a part of the output
    std::vector<std::string> compiler_options;  ///< options of NVRTC
    std::vector<std::string> instantiations;    ///< instances of kernel templates, such as "scale<float>"
    std::string name_space = "kernels";         ///< namespace of the functions
    std::string code;                           ///< KIND:FILE of compiled code; empty to embed the source
    fs::path depfile;                           ///< file that lists the inputs, for build systems; empty for none
};

/// Writes headers with the kernels and variables of .cu files as typed functions. Writes all files or none.
int kernels(const Folders& folders, const std::vector<fs::path>& files, const KernelsOptions& options);

/// The files that a command writes below a folder, and the subfolders that must hold no other files.
struct OutputFolder {
    fs::path folder;
    emit::Outputs outputs;
    std::vector<std::string> subfolders;

    /// Adds the files that differ to `batch` and returns a line with their number.
    std::string stage(emit::FileBatch& batch) const;
    /// Writes nothing. Prints each file that differs, and `command` as the remedy. Returns the exit status.
    int check(const std::string& command) const;
    /// Writes the files that differ, or only checks them. Returns the exit status.
    int write_or_check(bool only_check, const std::string& command) const;
};

/// Returns `wanted`, or all libraries of the specs if it is empty. Throws InputError if a name has no folder in the specs.
std::vector<std::string> select_libraries(const Folders& folders, const std::vector<std::string>& wanted);

}  // namespace cubind::gen::commands
