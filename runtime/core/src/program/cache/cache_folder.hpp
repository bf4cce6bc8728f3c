// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the default folder for data of this kind, such as "programs", according to the XDG specification, or an empty string
/// if the environment names none.
[[nodiscard]] std::string default_cache_folder(const char* kind);

/// An open folder, or the reason why it is not open.
struct OpenedFolder {
    Descriptor descriptor{};
    /// Whether the folder belongs to this user. Nothing is written to another user's folder.
    bool is_own = false;
    /// Empty if the folder is open, or if it does not exist and `create` was not set.
    std::string problem{};
};

/// Opens a folder of programs. If `create` is set, creates it and its parents. Reports a problem if a user who is neither this
/// one nor root, and who cannot replace the program either, could change what the folder contains (see trust_problem()).
[[nodiscard]] OpenedFolder open_cache_folder(const std::string& path, bool create);

}  // namespace CUBIND_NAMESPACE::detail
