// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search/search_context.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The use_ functions check one place. If it has a usable file, they set SearchContext::found and return true; libraries are then
/// open if the search opens libraries. Otherwise they add the reason to the log and return false.

/// Checks a file by its absolute path. `is_override` accepts a library with any soname.
bool use_file(SearchContext& context, const std::string& file, bool is_override = false);

/// Checks whether the process has loaded the library under one of its sonames.
bool use_loaded(SearchContext& context);

/// Checks the names of the row in this folder (an absolute path).
bool use_directory(SearchContext& context, const std::string& directory);

/// Logs the sonames of other majors that exist in this folder. Opens no file.
void note_refused_in_directory(SearchContext& context, const std::string& directory);

/// Returns whether there is anything at this path, including a symbolic link to nothing.
bool exists(const std::string& path);

}  // namespace CUBIND_NAMESPACE::detail
