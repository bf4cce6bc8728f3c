// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph_node.hpp>

#include <string>

#include "graph/definition_state.hpp"
#include "graph/instantiation.hpp"

/// Nodes for a list of operations. `Parameters` are those of one kind of node: native() returns them for the driver, record()
/// returns what the node retains, and check_accepted(called, advice) throws if the driver rejected them.
namespace CUBIND_NAMESPACE::detail {

/// Adds a node by `call(graph, dependencies, count, native)`.
template <class Parameters, class Call>
driver::CUgraphNode add_operations(const GraphPlace& where, const Parameters& parameters, const Call& call) {
    return where.state.add(parameters.record(), [&] {
        const auto added = call(where.graph, where.dependencies, where.count, parameters.native());
        parameters.check_accepted({added.status});
        return added.value;
    });
}

/// Changes a node of a definition by `call(node, native)`.
template <class Parameters, class Call>
void change_operations(const GraphNode& node, const Parameters& parameters, const Call& call) {
    const driver::CUgraphNode handle = node.native_handle();
    NodeAccess::state(node).update(handle, parameters.record(),
                                   [&] { parameters.check_accepted(call(handle, parameters.native())); });
}

/// Changes a node of an executable graph by `call(graph, node, native)`. `what_remains` names what cannot change.
template <class Parameters, class Call>
void change_operations(GraphRef graph, const GraphNode& node, const Parameters& parameters, const Call& call,
                       const char* what_remains) {
    const driver::CUgraphNode handle = node.native_handle();
    const ContextRef context = NodeAccess::state(node).context();
    work_of(graph).update(handle, parameters.record(), [&] {
        const ScopedContext scope(context);
        parameters.check_accepted(
            call(graph.native_handle(), handle, parameters.native()),
            std::string(what_remains)
                .append(" must remain, and the node must belong to the definition that this graph was instantiated from."));
    });
}

}  // namespace CUBIND_NAMESPACE::detail
