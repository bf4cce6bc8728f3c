// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_context.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The steps of the search. Each step searches one kind of place and returns a handle that is ready for use. On failure, it
/// returns null and adds the reasons to the log. To add a step, declare a function here and add a row to the table in search.cpp.

/// Opens the file in $CUBIND_<LIBRARY>_LIBRARY. If the variable is set, no other place is searched: a wrong path is an error.
void* find_in_environment_variable(SearchContext& context);

/// Returns the library if the process has loaded it already, by any means: two copies of a library would not share their state.
void* find_in_process(SearchContext& context);

/// Searches wheels in the site-packages of $VIRTUAL_ENV, $CONDA_PREFIX, ~/.local and the system's Pythons.
void* find_in_python_wheels(SearchContext& context);

/// Searches conda packages in $CONDA_PREFIX.
void* find_in_conda(SearchContext& context);

/// Opens the bare soname with dlopen, which searches LD_LIBRARY_PATH, run paths, ld.so's cache and the system's folders.
void* find_in_os_loader(SearchContext& context);

/// Searches the toolkit in $CUDA_PATH.
void* find_in_cuda_path(SearchContext& context);
/// Searches the toolkit in $CUDA_HOME.
void* find_in_cuda_home(SearchContext& context);
/// Searches the toolkit in the default prefix.
void* find_in_default_prefix(SearchContext& context);

}  // namespace CUBIND_NAMESPACE::detail
