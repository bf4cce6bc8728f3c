// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "graph/nested.hpp"
#include "work/copy.hpp"
#include "work/event.hpp"
#include "work/fill.hpp"
#include "work/host.hpp"
#include "work/kernel/operation.hpp"
#include "work/memory.hpp"
#include "work/memory_operation.hpp"
#include "work/semaphore_operations.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The operation of a node, or of a captured stream. Each kind has check(), which returns the reason why it is invalid,
/// plan(), which appends the steps of a launch, and can_update_to(), which checks whether it can be replaced in an
/// executable graph.
using Operation = std::variant<EmptyOperation, KernelOperation, HostOperation, CopyOperation, FillOperation, RecordOperation,
                               WaitOperation, MemoryOperations, SemaphoreSignals, SemaphoreWaits, AllocOperation, FreeOperation,
                               ChildOperation, ConditionalOperation>;

inline driver::CUgraphNodeType type_of(const Operation& operation) {
    return std::visit([](const auto& each) { return each.type; }, operation);
}

inline driver::CUresult check(const Operation& operation, const OperationMemory& memory) {
    return std::visit(
        [&](const auto& each) {
            if constexpr (requires { each.check(memory); }) {
                return each.check(memory);
            } else {
                return each.check();
            }
        },
        operation);
}

inline driver::CUresult plan(const Operation& operation, Plan& plan) {
    return std::visit([&](const auto& each) { return each.plan(plan); }, operation);
}

/// Returns false if the kinds differ.
inline bool can_update_to(const Operation& current, const Operation& next, const OperationMemory& memory) {
    return std::visit(
        [&](const auto& each) {
            const auto* const other = std::get_if<std::decay_t<decltype(each)>>(&next);
            if constexpr (requires { each.can_update_to(*other, memory); }) {
                return other != nullptr && each.can_update_to(*other, memory);
            } else {
                return other != nullptr && each.can_update_to(*other);
            }
        },
        current);
}

/// Returns the child graph, or the body graphs of a conditional node.
std::vector<std::shared_ptr<Graph>> graphs_in(const Operation& operation);

}  // namespace CUBIND_NAMESPACE::sim
