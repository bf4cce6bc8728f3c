// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Creates a file, or replaces a regular file that may be written and retains its permissions. Writes a temporary file beside it
/// first, so that a reader finds the old or the new content. Throws std::system_error, whose message begins with `writer`, the
/// name of the public function, if the file cannot be written, and std::invalid_argument for a path with a NUL; the old content
/// then remains.
CUBIND_EXPORT void replace_file(const std::string& path, std::span<const std::byte> content, const char* writer);
/// Like the function above, for content that other code writes: `write` writes the temporary file of this path, which exists and
/// is empty. If it throws, the old content remains.
CUBIND_EXPORT void replace_file(const std::string& path, const char* writer,
                                const std::function<void(const char* temporary)>& write);

}  // namespace CUBIND_NAMESPACE::detail
