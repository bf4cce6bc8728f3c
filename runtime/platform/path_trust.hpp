// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

/// What this process does with the file or folder at the end of a path.
enum class PathUse {
    read_file,         ///< reads the file
    read_folder,       ///< reads files of the folder
    create_in_folder,  ///< creates files in the folder, or the folder itself
};

/// Returns how a user other than root and the user of this process could change the file or folder at this absolute path, or what
/// a search would find there; an empty string if none could. Checks each folder and each symbolic link from the root of the file
/// system to the end of the path:
/// - Its owner must be root, the user of this process, or a user who owns the program's executable file or a folder above it.
///   In a user namespace, owners from outside of it are also accepted, because the files of the machine's root appear with such
///   an owner.
///   Files are created only in folders of root and the user of this process, so that no other user's folder receives them.
/// - Others must not have permission to write to it, except for a folder with the sticky bit, such as /tmp, in which only the
///   owner of an entry can replace it. The folder whose files are used has no such exception. Permission for the group is
///   accepted if it is the private group of a user other than root, with the same number as the user.
/// A path that does not exist is trusted up to its first missing part. A file that is read is not, if others can create that
/// part. Throws std::bad_alloc if memory or file descriptors are exhausted.
CUBIND_EXPORT std::string trust_problem(const std::string& path, PathUse use = PathUse::read_file);

/// Returns whether the open file has an owner whose files are read, and others cannot write to it.
CUBIND_EXPORT bool is_trusted_file(const FileStatus& status);

}  // namespace CUBIND_NAMESPACE::detail
