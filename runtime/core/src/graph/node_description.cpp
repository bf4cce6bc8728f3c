// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/node_description.hpp"

#include <cubind/driver/execution.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/strings.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "graph/node_lists.hpp"

namespace CUBIND_NAMESPACE::detail {

const char* name_of(driver::CUgraphNodeType type) noexcept {
    switch (type) {
        case driver::CU_GRAPH_NODE_TYPE_KERNEL:
            return "kernel";
        case driver::CU_GRAPH_NODE_TYPE_MEMCPY:
            return "copy";
        case driver::CU_GRAPH_NODE_TYPE_MEMSET:
            return "fill";
        case driver::CU_GRAPH_NODE_TYPE_HOST:
            return "host function";
        case driver::CU_GRAPH_NODE_TYPE_GRAPH:
            return "child graph";
        case driver::CU_GRAPH_NODE_TYPE_EMPTY:
            return "empty";
        case driver::CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return "event wait";
        case driver::CU_GRAPH_NODE_TYPE_EVENT_RECORD:
            return "event record";
        case driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC:
            return "allocation";
        case driver::CU_GRAPH_NODE_TYPE_MEM_FREE:
            return "free";
        case driver::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
            return "memory operations";
        case driver::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
            return "semaphore signal";
        case driver::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
            return "semaphore wait";
        case driver::CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return "conditional";
        case driver::CU_GRAPH_NODE_TYPE_MEMCPY_BATCH:
            return "copy batch";
        case driver::CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE:
            return "external engine";
        case driver::CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH:
            return "fabric copy batch";
        default:
            return driver::to_string(type);
    }
}

namespace {

// Returns an empty text for a kernel whose name the driver does not report.
std::string name_of_kernel(driver::CUgraphNode node) {
    if (!driver::has(driver::cuFuncGetName)) return {};  // before CUDA 12.3
    const auto [status, params] = driver::cuGraphKernelNodeGetParams_v2(node);
    if (status != driver::CUDA_SUCCESS) return {};
    const auto name = params.kern != nullptr ? driver::cuKernelGetName(params.kern) : driver::cuFuncGetName(params.func);
    return name.ok() && name.value != nullptr ? concat(", kernel \"", name.value, "\"") : std::string();
}

}  // namespace

std::string describe_node(driver::CUgraph graph, driver::CUgraphNode node) try {
    const NodeList nodes = nodes_of(graph);
    const auto found = std::find(nodes.begin(), nodes.end(), node);
    if (found == nodes.end()) return "a node of a graph within a node, or of another graph";
    const driver::CUgraphNodeType type = check(driver::cuGraphNodeGetType(node));
    std::string text = concat("node ", found - nodes.begin(), ", of kind \"", name_of(type), "\"");
    if (type == driver::CU_GRAPH_NODE_TYPE_KERNEL) text.append(name_of_kernel(node));
    return text;
} catch (const Error&) {
    return "a node about which the driver reports nothing";
}

}  // namespace CUBIND_NAMESPACE::detail
