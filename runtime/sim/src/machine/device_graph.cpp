// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/device_graph.hpp"

#include "graph/executable.hpp"
#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

bool plan_for_device(CUgraphExec handle, const std::shared_ptr<const Context>& context, GraphSteps& steps) {
    GraphStore& store = machine().graph_store;
    const std::lock_guard lock(store.mutex);
    const auto executable = store.executables.find(handle);
    return executable != nullptr && executable->plan_for_device(context, steps);
}

}  // namespace CUBIND_NAMESPACE::sim
