// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/search_context.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The steps of the search. Each step searches one kind of place. It returns true after it has set SearchContext::found;
/// otherwise it adds the reasons to the log. To add a step, declare a function here and add a row to the table in search.cpp.

/// Uses the file in $CUBIND_<LIBRARY>_LIBRARY. If the variable is set, no other place is searched: a wrong path is an error.
bool find_in_environment_variable(SearchContext& context);

/// Uses the library if the process has loaded it already, by any means: two copies of a library would not share their state.
bool find_in_process(SearchContext& context);

/// Searches wheels in the site-packages of $VIRTUAL_ENV, $CONDA_PREFIX, the first python3 in $PATH, ~/.local and the system's
/// Pythons.
bool find_in_python_wheels(SearchContext& context);

/// Searches conda packages in $CONDA_PREFIX.
bool find_in_conda(SearchContext& context);

/// Searches the prefix in the variable of the product, such as $CUDNN_PATH.
bool find_in_product_prefix(SearchContext& context);

/// Searches for the soname in the places of dlopen: LD_LIBRARY_PATH, run paths, ld.so's cache and the system's folders.
bool find_in_os_loader(SearchContext& context);

/// Adds a note if the OS loader's cache or the system's folders have another file than the driver library that was found: whoever
/// set a run path of the program may not expect it to replace the driver.
void remark_other_driver(SearchContext& context);

/// Searches the toolkit in $CUDA_PATH.
bool find_in_cuda_path(SearchContext& context);
/// Searches the toolkit in $CUDA_HOME.
bool find_in_cuda_home(SearchContext& context);
/// Searches the toolkit that contains the libcudart of the OS loader.
bool find_beside_runtime(SearchContext& context);
/// Searches the toolkit in the default prefix.
bool find_in_default_prefix(SearchContext& context);
/// Searches toolkits in folders such as /usr/local/cuda-13.0, newest first.
bool find_in_versioned_prefixes(SearchContext& context);
/// Searches for headers that a package of the system has installed.
bool find_in_system_folders(SearchContext& context);

}  // namespace CUBIND_NAMESPACE::detail
