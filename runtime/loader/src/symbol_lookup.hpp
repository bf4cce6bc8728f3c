// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <cubind/library.hpp>

#include "search_outcome.hpp"

namespace cubind::detail {

/// What the row's fallback_symbol makes of the symbol; empty where the row has none.
std::string fallback_symbol(const Library& library, const char* symbol);

/// Address of the symbol, or of its fallback, in the library that was found; null if it exports neither.
void* look_up(const Library& library, const SearchOutcome& found, const char* symbol);

}  // namespace cubind::detail
