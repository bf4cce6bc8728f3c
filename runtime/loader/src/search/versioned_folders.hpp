// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the entries of `folder` whose names are `stem` followed by a version, highest version first. For "cuda-" in
/// /usr/local, cuda-13.10 precedes cuda-13.9.
std::vector<std::string> versioned_folders(const std::string& folder, std::string_view stem);

}  // namespace CUBIND_NAMESPACE::detail
