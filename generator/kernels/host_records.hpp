// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "clang/cursor.hpp"

/// What the host may do with a struct of the device.
namespace cubind::gen::kernels {

/// Returns whether the bytes of an object are all of it: it is complete, has no virtual functions and no references, and no
/// function copies or destroys it.
bool can_be_value(const clang::Type& type);

/// Throws InputError that begins with `place` and names the obstacle if can_be_value() is false.
void check_value(const clang::Type& type, const std::string& place);

/// Returns whether a struct with the same fields has the same layout: all fields are public, named and no bit-fields, there are
/// no base classes, and nothing is packed.
bool has_plain_fields(const clang::Type& type);

/// Returns an integer literal with that value.
std::string integer_text(std::int64_t value, bool is_unsigned);

}  // namespace cubind::gen::kernels
