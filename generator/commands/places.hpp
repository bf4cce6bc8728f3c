// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "commands/commands.hpp"

namespace cubind::gen::commands {

/// A command line that lacks an option.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What a command does with the folders.
struct FolderUse {
    bool writes_specs = false;
    bool uses_output = false;  ///< reads or writes the generated code
    bool uses_docs = false;    ///< reads or writes the pages
};

/// Sets each folder that the user did not name. The default is its place in the repository `root`. If that is empty, it is the
/// place in the working folder, or, unless that folder has api-specs/, in the folder share/cubind of the installation of this
/// program. Specs and templates are installed, and specs of an installation cannot be written. Throws InputError if an installed
/// folder is missing or would be written, and UsageError if a folder has no default.
Folders find_folders(Folders named, const fs::path& root, const FolderUse& use);

/// Returns the folder of the installed templates. Throws InputError if it is missing.
fs::path installed_templates();

}  // namespace cubind::gen::commands
