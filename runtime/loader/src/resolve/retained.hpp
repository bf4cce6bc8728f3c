// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search/search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The retain() functions move an object to a place where it lives as long as the process, because callers, for example of
/// last_failure(), may have pointers to it. They take no lock, so that a fork() can happen at any time.

/// Retains the result of a search.
const SearchOutcome* retain(SearchOutcome outcome);
/// Retains a text.
const char* retain(std::string text);

}  // namespace CUBIND_NAMESPACE::detail
