// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::math::detail {

/// The letters of the dimensions of each operand, such as "ij" and "jk", and of the output.
struct Subscripts {
    std::vector<std::string> operands;
    std::string output;
};

/// Reads subscripts such as "ij,jk->ik". Without "->", the output has the letters that occur once, in the order of their codes.
/// Throws std::invalid_argument for all that einsum refuses, for an ellipsis, and for a letter twice in one operand.
[[nodiscard]] CUBIND_EXPORT Subscripts parse_subscripts(std::string_view text);

}  // namespace CUBIND_NAMESPACE::math::detail
