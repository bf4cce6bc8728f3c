// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the entries of a folder whose name is `stem` with a version, such as "cuda-" in /usr/local, highest version first:
/// cuda-13.10 precedes cuda-13.9.
std::vector<std::string> versioned_folders(const std::string& folder, std::string_view stem);

}  // namespace CUBIND_NAMESPACE::detail
