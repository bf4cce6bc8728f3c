// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "context/context.hpp"

namespace cubind::sim {

/// The calling thread's stack of contexts, whose top is current.
std::vector<std::shared_ptr<Context>>& context_stack();

/// The calling thread's context; null if there is none. It may not be alive any more.
Context* current_context() noexcept;

}  // namespace cubind::sim
