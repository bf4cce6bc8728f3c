// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clang/cursor.hpp"
#include "kernels/host_types.hpp"

/// Values that the source states: default arguments and the arguments of attributes.
namespace cubind::gen::kernels {

/// Returns the value of a name in an expression.
using Lookup = std::function<std::optional<std::int64_t>(const std::string& name)>;

/// Returns the values of the integer expressions in a list, such as "32 * N, 2". A value that is unknown is 0.
std::vector<int> evaluate_list(std::string_view text, const Lookup& lookup);

/// Returns a literal of the value of a parameter's default argument; empty if there is none or if it is no number, pointer or
/// enumerator. `type` is the type of the parameter.
std::string default_text(const clang::Cursor& parameter, const clang::Type& type, HostTypes& types, const std::string& place);

/// Returns a literal of a value of a bool, an enum or a type of integers.
std::string literal(const clang::Type& type, std::int64_t value, HostTypes& types, const std::string& place);

}  // namespace cubind::gen::kernels
