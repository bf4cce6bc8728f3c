// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "clang/cursor.hpp"

namespace cubind::gen::extract {

/// Returns the text of a type in api.json: the C++ spelling without struct, union and enum keywords. Array parameters are
/// pointers.
std::string type_text(const clang::Type& type);

}  // namespace cubind::gen::extract
