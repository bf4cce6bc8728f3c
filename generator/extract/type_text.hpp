// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "clang/cursor.hpp"

namespace cubind::gen::extract {

/// Returns the text of a type in api.json: the C++ spelling without struct, union and enum keywords.
std::string type_text(const clang::Type& type);

/// Returns the text of the type of a parameter. An array is the pointer that C declares for it, unless a typedef names
/// the array or its elements are arrays or pointers to functions.
std::string parameter_type_text(const clang::Type& type);

}  // namespace cubind::gen::extract
