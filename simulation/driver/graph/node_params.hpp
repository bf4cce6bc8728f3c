// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns the parameters that describe an operation. Arrays in them are valid as long as the operation exists.
driver::CUgraphNodeParams parameters_of(const Operation& operation);

}  // namespace CUBIND_NAMESPACE::sim
