// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

/// The exact value of a constant expression of device code.
struct EvaluatedConstant {
    /// The kinds of types in device code. An enumeration has the kind of its underlying type. The numbers never change, so that
    /// values can be stored in files.
    enum class Kind { boolean = 0, signed_integer = 1, unsigned_integer = 2, single_precision = 3, double_precision = 4 };

    Kind kind;           ///< the type of the expression
    std::uint64_t bits;  ///< the 64 bits of an integer or a double, or the 32 bits of a float

    /// Compares kinds and bits.
    [[nodiscard]] friend constexpr bool operator==(const EvaluatedConstant&, const EvaluatedConstant&) = default;
};

/// Pairs of an expression, such as "sizeof(Header)", and its value.
using ConstantMapping = std::vector<std::pair<std::string, EvaluatedConstant>>;

}  // namespace CUBIND_NAMESPACE
