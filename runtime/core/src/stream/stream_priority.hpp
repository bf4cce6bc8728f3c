// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument if streams of the context cannot have this priority.
void check_priority(ContextRef context, int priority);

}  // namespace CUBIND_NAMESPACE::detail
