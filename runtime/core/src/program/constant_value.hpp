// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/detail/constant_type.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// The kinds of types in device code. The numbers are those in the text of evaluation_source().
enum class EvaluatedKind { boolean = 0, signed_integer = 1, unsigned_integer = 2, single_precision = 3, double_precision = 4 };

/// The value of an expression: the 64 bits of an integer or of a double, or the 32 bits of a float.
struct EvaluatedConstant {
    EvaluatedKind kind;
    std::uint64_t bits;
};

/// Returns the value of the expression with this number from the PTX of evaluation_source(). Returns std::nullopt if the PTX
/// has no such constant.
std::optional<EvaluatedConstant> constant_in_ptx(std::string_view ptx, std::size_t number);

/// Returns the representation of the value in a type on the host. Returns std::nullopt if the type cannot represent the value
/// exactly. A floating-point number is never converted to an integer or to bool. A NaN retains its payload as far as it fits.
std::optional<std::uint64_t> converted_bits(const EvaluatedConstant& constant, ConstantType type);

/// Returns the value and its type in device code, for messages: "3.5 of type double".
std::string to_string(const EvaluatedConstant& constant);

/// Returns the type for messages: "a signed integer of 4 bytes".
std::string to_string(ConstantType type);

}  // namespace CUBIND_NAMESPACE::detail
