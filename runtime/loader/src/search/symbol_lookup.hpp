// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <string>

#include "search/search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the row's fallback_symbol with the symbol inserted; empty if the row has none.
std::string fallback_symbol(const Library& library, const char* symbol);

using OwnLookup = void* (*)(const char* symbol) noexcept;

/// Returns the lookup that a simulated driver exports, because it exports more symbols than its release has; null for other
/// libraries.
OwnLookup find_own_lookup(void* handle);

/// Returns the address of the symbol or of its fallback in the loaded library; null if the library exports neither. Both
/// functions throw std::bad_alloc if memory is exhausted.
void* look_up(const Library& library, const SearchOutcome& found, const char* symbol);

}  // namespace CUBIND_NAMESPACE::detail
