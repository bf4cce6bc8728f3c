// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "graph/instantiation.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

unsigned int dot_flags(const GraphDebugPrintOptions& options) {
    unsigned int flags = 0;
    const auto add = [&](bool is_set, driver::CUgraphDebugDot_flags flag) {
        if (is_set) flags |= static_cast<unsigned int>(flag);
    };
    add(options.verbose, driver::CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
    add(options.runtime_types, driver::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES);
    add(options.kernel_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS);
    add(options.memcpy_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS);
    add(options.memset_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS);
    add(options.host_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS);
    add(options.event_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS);
    add(options.ext_semas_signal_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS);
    add(options.ext_semas_wait_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS);
    add(options.kernel_node_attributes, driver::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES);
    add(options.handles, driver::CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES);
    add(options.mem_alloc_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS);
    add(options.mem_free_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS);
    add(options.batch_mem_op_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS);
    add(options.extra_topo_info, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO);
    add(options.conditional_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS);
    return flags;
}

}  // namespace

void print_dot(driver::CUgraph graph, const std::string& path, const GraphDebugPrintOptions& options) {
    check_no_nul("the path of debug_dot_print", path);
    const auto printed = driver::cuGraphDebugDotPrint(graph, path.c_str(), dot_flags(options));
    if (printed.ok()) return;
    throw_with_advice(printed, concat("The file is \"", path, "\"; its folder must exist and be writable."));
}

}  // namespace CUBIND_NAMESPACE::detail
