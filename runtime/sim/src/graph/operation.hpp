// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "graph/operations/event.hpp"
#include "graph/operations/host.hpp"
#include "graph/operations/kernel.hpp"
#include "graph/operations/memory.hpp"
#include "graph/operations/nested.hpp"
#include "graph/operations/transfer.hpp"

namespace cubind::sim {

/// What a node does, and what a stream does while it is captured. Each kind says what it is refused for (check), what a launch
/// of it does (plan), and what it may become in a graph that is executable already (may_become).
using Operation = std::variant<EmptyOperation, KernelOperation, HostOperation, CopyOperation, FillOperation, RecordOperation,
                               WaitOperation, AllocOperation, FreeOperation, ChildOperation, ConditionalOperation>;

inline CUgraphNodeType type_of(const Operation& operation) {
    return std::visit([](const auto& each) { return each.type; }, operation);
}

inline CUresult check(const Operation& operation) {
    return std::visit([](const auto& each) { return each.check(); }, operation);
}

inline CUresult plan(const Operation& operation, Plan& plan) {
    return std::visit([&](const auto& each) { return each.plan(plan); }, operation);
}

/// False for one of another kind.
inline bool may_become(const Operation& now, const Operation& next) {
    return std::visit(
        [&](const auto& each) {
            const auto* const other = std::get_if<std::decay_t<decltype(each)>>(&next);
            return other != nullptr && each.may_become(*other);
        },
        now);
}

/// The graphs within it.
std::vector<std::shared_ptr<Graph>> graphs_in(const Operation& operation);

}  // namespace cubind::sim
