// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cubind::detail {

/// Folders that the OS loader searches for the main program (LD_LIBRARY_PATH, run path, system folders),
/// absolute ones only. Good enough to say what lies there; what ld.so's cache adds is not in the list.
std::vector<std::string> os_loader_folders();

}  // namespace cubind::detail
