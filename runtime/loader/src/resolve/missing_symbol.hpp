// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

#include <string>

#include "search/search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns one line with the release that introduced the symbol, the path and version of the loaded file, and what to install.
std::string missing_symbol_text(const EntryPoint& entry, const SearchOutcome& outcome);

}  // namespace CUBIND_NAMESPACE::detail
