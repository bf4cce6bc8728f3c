// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Places in which dlopen() of cubind would search a bare soname, in three parts that are searched in this order: the folders of
/// LD_LIBRARY_PATH and of run paths, ld.so's cache, and the system's folders. cubind searches them itself, because dlopen() of a
/// bare soname would also search relative folders and would load a file before it can be checked.
struct OsLoaderPlaces {
    std::vector<std::string> folders;         ///< absolute folders of LD_LIBRARY_PATH and of run paths
    std::vector<std::string> ignored;         ///< entries that are not absolute, which are not searched
    std::vector<std::string> system_folders;  ///< folders that the OS loader always searches
};

/// Returns the places of this process.
OsLoaderPlaces os_loader_places();

/// Returns the absolute paths that ld.so's cache has for the soname; empty if there are none or if the cache cannot be read.
/// Leaves out variants that need optional instructions of the processor.
std::vector<std::string> paths_in_ld_cache(const std::string& soname, const char* cache = "/etc/ld.so.cache");

}  // namespace CUBIND_NAMESPACE::detail
