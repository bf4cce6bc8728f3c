// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_context.hpp"
#include "search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Runs the steps of the search in order until one of them finds the library.
SearchOutcome search(const Library& library);

}  // namespace CUBIND_NAMESPACE::detail
