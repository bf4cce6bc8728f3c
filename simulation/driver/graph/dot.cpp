// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/dot.hpp"

#include <map>
#include <ostream>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

const char* name_of(CUgraphNodeType type) noexcept {
    switch (type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
            return "kernel";
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return "copy";
        case CU_GRAPH_NODE_TYPE_MEMSET:
            return "fill";
        case CU_GRAPH_NODE_TYPE_HOST:
            return "host function";
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return "graph";
        case CU_GRAPH_NODE_TYPE_EMPTY:
            return "empty";
        case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return "event wait";
        case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
            return "event record";
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
            return "allocate";
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
            return "free";
        case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
            return "memory operations";
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
            return "semaphore signal";
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
            return "semaphore wait";
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return "conditional";
        default:
            return "other";
    }
}

using Names = std::map<const Node*, std::size_t>;

// Prints a graph and, as a cluster below its node, each inner graph. Numbers of nodes are unique over all of them. A
// dotted edge connects a node to its inner graph.
void print(std::ostream& out, const Graph& graph, bool has_handles, Names& names) {
    for (const auto& node : graph.nodes()) {
        const std::size_t number = names.emplace(node.get(), names.size()).first->second;
        out << "  n" << number << " [label=\"" << number << ": " << name_of(type_of(node->operation));
        if (has_handles) out << "\\n" << static_cast<const void*>(node->handle);
        out << "\"];\n";
        for (const auto& inner : graphs_in(node->operation)) {
            out << "  subgraph cluster_" << names.size() << " {\n";
            print(out, *inner, has_handles, names);
            out << "  }\n";
            if (!inner->nodes().empty()) {
                out << "  n" << number << " -> n" << names.at(inner->nodes().front().get()) << " [style=dotted];\n";
            }
        }
    }
    for (const auto& node : graph.nodes()) {
        for (const Dependency& each : node->dependents)
            out << "  n" << names.at(node.get()) << " -> n" << names.at(each.node) << ";\n";
    }
}

}  // namespace

void write_dot(std::ostream& out, const Graph& graph, bool has_handles) {
    Names names;
    out << "digraph graph_" << reinterpret_cast<std::uintptr_t>(graph.handle) << " {\n";
    print(out, graph, has_handles, names);
    out << "}\n";
}

}  // namespace CUBIND_NAMESPACE::sim
