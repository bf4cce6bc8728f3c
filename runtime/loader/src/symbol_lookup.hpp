// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <string>

#include "search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the row's fallback_symbol with the symbol inserted; empty if the row has none.
std::string fallback_symbol(const Library& library, const char* symbol);

/// Returns the address of the symbol or of its fallback in the loaded library; null if the library exports neither.
void* look_up(const Library& library, const SearchOutcome& found, const char* symbol);

}  // namespace CUBIND_NAMESPACE::detail
