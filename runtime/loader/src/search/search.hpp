// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/search_context.hpp"
#include "search/search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Runs the steps of the search in order until one of them finds the library, and opens it.
SearchOutcome search(const Library& library);

/// Runs the steps in order until one of them sets SearchContext::found; returns whether one has. SearchContext::step is then the
/// step that has found it.
bool run_search(SearchContext& context);

/// Returns the message about what the search has not found: one line with the remedy, then the log.
std::string missing_text(const SearchContext& context);

}  // namespace CUBIND_NAMESPACE::detail
