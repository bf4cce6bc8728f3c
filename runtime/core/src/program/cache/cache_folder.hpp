// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/stat.h>

#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the default folder according to the XDG specification, or an empty string if the environment names none.
[[nodiscard]] std::string default_cache_folder();

/// An open folder, or the reason why it is not open.
struct OpenedFolder {
    Descriptor descriptor;
    /// Empty if the folder is open, or if it does not exist and `create` was not set.
    std::string problem;
};

/// Opens a folder of programs. If `create` is set, creates it and its parents. Reports a problem if others can write to the
/// folder, or can replace it because they can write to one of its parents.
[[nodiscard]] OpenedFolder open_cache_folder(const std::string& path, bool create);

/// Returns whether only the user of this process, and root, can change the file or folder.
[[nodiscard]] bool is_private(const struct stat& status) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
