// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clang/cursor.hpp"

#include <string>

namespace cubind::gen::extract {

/// How a type is written in api.json: C++ spelling without struct, union and enum keywords, arrays of a parameter as pointers.
std::string type_text(const clang::Type& type);

}  // namespace cubind::gen::extract
