// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::testing {

/// What clang has against `source` as C++20, an error or warning a line; empty if it compiles cleanly.
/// The vendor's headers may warn as they like.
std::string compile_errors(const std::string& source, const std::vector<std::filesystem::path>& includes,
                           const std::vector<std::filesystem::path>& vendor_includes = {},
                           const std::vector<std::string>& defines = {});

}  // namespace cubind::testing
