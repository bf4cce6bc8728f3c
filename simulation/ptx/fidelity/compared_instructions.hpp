// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the instructions that recorded tests compared with an H200, in ascending order. scripts/list-compared-instructions
/// writes them.
std::span<const std::string> compared_instructions();

/// Returns the texts that a pattern of the table stands for: "(.a|.b)(|.c)" for ".a", ".a.c", ".b" and ".b.c".
std::vector<std::string> expand_pattern(std::string_view pattern);

}  // namespace CUBIND_NAMESPACE::sim::ptx
