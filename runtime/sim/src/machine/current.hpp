// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "objects/context/context.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns the calling thread's stack of contexts. The last element is current.
std::vector<std::shared_ptr<Context>>& context_stack();

/// Returns the calling thread's current context, or null. It may no longer be alive.
Context* current_context() noexcept;

}  // namespace CUBIND_NAMESPACE::sim
