// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the site-packages and dist-packages folders of every Python 3 below `prefix`/lib, newest Python first.
std::vector<std::string> site_packages_below(const std::string& prefix);

}  // namespace CUBIND_NAMESPACE::detail
