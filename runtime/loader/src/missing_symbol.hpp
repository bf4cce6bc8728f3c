// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <cubind/entry_point.hpp>

#include "search_outcome.hpp"

namespace cubind::detail {

/// Says in one line which release introduced the symbol, what was found instead of it, and what to install.
std::string missing_symbol_text(const EntryPoint& entry, const SearchOutcome& outcome);

}  // namespace cubind::detail
