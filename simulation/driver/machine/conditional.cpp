// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/conditional.hpp>

#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

bool set_conditional(CUgraphConditionalHandle handle, unsigned value) {
    GraphStore& store = machine().graph_store;
    const std::lock_guard lock(store.mutex);
    const auto condition = store.find_used_condition(handle);
    if (condition != nullptr) condition->value.store(value);
    return condition != nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
