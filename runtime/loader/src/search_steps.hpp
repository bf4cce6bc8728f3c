// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_context.hpp"

namespace cubind::detail {

/// The steps of the search. Each looks in one kind of place and gives a handle that is ready for use, or null
/// with the reasons in the log. To add one: a function here and a line in the table of search.cpp.

/// $CUBIND_<LIBRARY>_LIBRARY. Once it is set, no other place is looked at: a wrong path is an error, not a
/// hint.
void* find_in_environment_variable(SearchContext& context);

/// What the process has loaded already, by whatever means: two copies of one library would not share their
/// state.
void* find_in_process(SearchContext& context);

/// Wheels in the site-packages of $VIRTUAL_ENV, $CONDA_PREFIX, ~/.local and the system's Pythons.
void* find_in_python_wheels(SearchContext& context);

/// Conda packages in $CONDA_PREFIX.
void* find_in_conda(SearchContext& context);

/// dlopen of the bare soname: LD_LIBRARY_PATH, run paths, ld.so's cache, the system's folders.
void* find_in_os_loader(SearchContext& context);

/// Toolkits.
void* find_in_cuda_path(SearchContext& context);
void* find_in_cuda_home(SearchContext& context);
void* find_in_default_prefix(SearchContext& context);

}  // namespace cubind::detail
