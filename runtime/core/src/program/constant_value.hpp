// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/detail/constant_type.hpp>
#include <cubind/core/program/evaluated_constant.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the representation of the value in a type on the host. Returns std::nullopt if the type cannot represent the value
/// exactly. A floating-point number is never converted to an integer or to bool. A NaN retains its payload as far as it fits.
std::optional<std::uint64_t> converted_bits(const EvaluatedConstant& constant, ConstantType type);

/// Returns the representation of the value of an expression in a type on the host. Throws CompileError, which names the program
/// and the expression, if the type cannot represent the value exactly. `function` is the name of the public function.
std::uint64_t required_bits(const EvaluatedConstant& constant, ConstantType type, const char* function,
                            const std::string& program, const std::string& expression, const std::string& log);

/// Throws CompileError for an expression of a program. `reason` is the end of the sentence that begins with the expression.
[[noreturn]] void throw_evaluation_error(const char* function, const std::string& program, const std::string& expression,
                                         const std::string& reason, const std::string& log);

/// Returns the value and its type in device code, for messages: "3.5 of type double".
std::string to_string(const EvaluatedConstant& constant);

/// Returns the type for messages: "a signed integer of 4 bytes".
std::string to_string(ConstantType type);

}  // namespace CUBIND_NAMESPACE::detail
