// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "clang/cursor.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::extract {

/// Returns the text of a type in api.json: the C++ spelling without struct, union and enum keywords.
std::string type_text(const clang::Type& type);

/// Returns the text of the type of a constant: that of its canonical type, or a type of numbers for an enum without a name.
std::string constant_type_text(const clang::Type& type);

/// Describes the name and the type of a parameter. An array is the pointer that C declares for it, with the number of elements if
/// the header states it, also if a typedef names the array. An array of pointers to functions keeps its type.
spec::Parameter describe_parameter(const clang::Cursor& cursor);

}  // namespace cubind::gen::extract
