// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::testing {

/// Returns the errors and warnings of clang for `source` as C++20, one per line; empty if there are none. Warnings in the
/// vendor's headers are ignored.
std::string compile_errors(const std::string& source, const std::vector<std::filesystem::path>& includes,
                           const std::vector<std::filesystem::path>& vendor_includes = {},
                           const std::vector<std::string>& defines = {});

}  // namespace cubind::testing
