// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/descriptor.hpp"

#include <sys/stat.h>

#include <string>

namespace cubind::detail {

/// Where programs are kept if nobody says where, as the XDG specification has it; empty if the environment names no folder.
std::string default_cache_folder();

/// A folder that is open, or why it is not.
struct OpenedFolder {
    Descriptor descriptor;
    /// Empty where all is well, and where the folder is just not there yet.
    std::string problem;
};

/// Opens a folder to keep programs in, and with `make` makes it and those above it. A folder in which others could put programs is
/// a problem.
OpenedFolder open_cache_folder(const std::string& path, bool make);

/// Whether nobody but this process's user, and root, can change the file or folder.
bool is_private(const struct stat& status) noexcept;

}  // namespace cubind::detail
