// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/context/context.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Checks whether it is the primary context of its device, active or not.
bool is_primary(const Context& context);

}  // namespace CUBIND_NAMESPACE::sim
