// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the site-packages and dist-packages folders of every Python 3 below `prefix`/lib, newest Python first. If `prefix`/lib
/// exists and cannot be read, writes the reason to `problem`, unless that is null.
std::vector<std::string> site_packages_below(const std::string& prefix, std::string* problem = nullptr);

/// Returns the prefix of the first python3 in an absolute folder of PATH: /opt/python for /opt/python/bin/python3. Symbolic links
/// are not resolved, because the python3 of a virtual environment is one. Empty if there is none.
std::string python_prefix_on_path();

}  // namespace CUBIND_NAMESPACE::detail
