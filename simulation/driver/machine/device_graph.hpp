// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "work/graph_run.hpp"

namespace CUBIND_NAMESPACE::sim {

class Context;

/// Writes the steps of a graph for a launch by a kernel in this context. Returns illegal_address if the graph does not exist or
/// was instantiated without the flag for such launches, and invalid_value if it was never uploaded.
ptx::DeviceError plan_for_device(driver::CUgraphExec handle, const std::shared_ptr<const Context>& context, GraphSteps& steps);

}  // namespace CUBIND_NAMESPACE::sim
