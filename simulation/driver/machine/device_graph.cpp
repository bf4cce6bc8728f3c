// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/device_graph.hpp"

#include "graph/executable.hpp"
#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

ptx::DeviceError plan_for_device(CUgraphExec handle, const std::shared_ptr<const Context>& context, GraphSteps& steps) {
    GraphStore& store = machine().graph_store;
    const std::lock_guard lock(store.mutex);
    const auto executable = store.executables.find(handle);
    if (executable == nullptr || !executable->is_for_device()) return ptx::DeviceError::illegal_address;
    return executable->plan_for_device(context, steps) ? ptx::DeviceError::none : ptx::DeviceError::invalid_value;
}

}  // namespace CUBIND_NAMESPACE::sim
