// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search_context.hpp"

namespace cubind::detail {

/// Each of these gives a handle that is ready for use, or null with the reason in the log.

/// Opens a file by its absolute path.
void* open_file(SearchContext& context, const std::string& file);

/// Opens the library's first soname that works, in the OS loader's own places. `flags` are added to dlopen's.
void* open_by_name(SearchContext& context, int flags);

/// Opens the library's first soname that works in this folder (an absolute path).
void* open_in_directory(SearchContext& context, const std::string& directory);

/// Logs the sonames of other majors that lie in this folder; opens nothing.
void note_refused_in_directory(SearchContext& context, const std::string& directory);

}  // namespace cubind::detail
