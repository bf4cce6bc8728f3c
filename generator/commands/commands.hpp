// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
};

/// Headers of one release to api.json.
int extract(const Folders& folders, const std::vector<std::string>& libraries, const std::vector<fs::path>& includes);

struct EmitOptions {
    bool check = false;                 ///< compare only
    std::vector<fs::path> vendor_docs;  ///< folders of the headers whose documentation goes into the output
};

/// Specs and templates to code.
int emit(const Folders& folders, std::vector<std::string> libraries, const EmitOptions& options);

/// The decided model of one library to standard output, as JSON.
int model(const Folders& folders, const std::string& library);

/// What is bound, and what is undecided.
int report(const Folders& folders);

/// Throws InputError unless each name has a folder in the specs; all libraries if none is named.
std::vector<std::string> known_libraries(const Folders& folders, const std::vector<std::string>& wanted);

}  // namespace cubind::gen::commands
