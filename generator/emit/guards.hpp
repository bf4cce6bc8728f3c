// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::emit {

/// Merges conditional groups of C++ text that follow each other and have the same condition: removes the #endif of the first
/// group and the #if, #ifdef or #ifndef of the second.
std::string merge_guards(std::string text);

}  // namespace cubind::gen::emit
