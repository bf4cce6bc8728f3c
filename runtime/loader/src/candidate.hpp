// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search_context.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The open_ functions return a handle that is ready for use. On failure, they return null and add the reason to the log.

/// Opens a file by its absolute path.
void* open_file(SearchContext& context, const std::string& file);

/// Opens the library's first usable soname in the OS loader's own places. `flags` are added to dlopen's flags.
void* open_by_name(SearchContext& context, int flags);

/// Opens the library's first usable soname in this folder (an absolute path).
void* open_in_directory(SearchContext& context, const std::string& directory);

/// Logs the sonames of other majors that exist in this folder. Opens no file.
void note_refused_in_directory(SearchContext& context, const std::string& directory);

}  // namespace CUBIND_NAMESPACE::detail
