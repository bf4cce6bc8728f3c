// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "work/graph_run.hpp"

namespace CUBIND_NAMESPACE::sim {

class Context;

/// Writes the steps of a graph for a launch by a kernel in this context. Returns false if kernels cannot launch the graph: it
/// does not exist, was instantiated without the flag for that, or was not uploaded since.
bool plan_for_device(CUgraphExec handle, const std::shared_ptr<const Context>& context, GraphSteps& steps);

}  // namespace CUBIND_NAMESPACE::sim
