// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/node_records.hpp"

/// Nodes that signal semaphores of another interface, and nodes that wait for them.
namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                                    std::size_t numDependencies,
                                                    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
    return add_node_from_record({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                                  std::size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
    return add_node_from_record({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* params_out) {
    return read_node(hNode, SemaphoreSignals::type, [&](const CUgraphNodeParams& parameters) {
        const auto& signals = parameters.extSemSignal;
        return write_output(params_out,
                            CUDA_EXT_SEM_SIGNAL_NODE_PARAMS{signals.extSemArray, signals.paramsArray, signals.numExtSems});
    });
}

CUresult sim_cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS* params_out) {
    return read_node(hNode, SemaphoreWaits::type, [&](const CUgraphNodeParams& parameters) {
        const auto& waits = parameters.extSemWait;
        return write_output(params_out, CUDA_EXT_SEM_WAIT_NODE_PARAMS{waits.extSemArray, waits.paramsArray, waits.numExtSems});
    });
}

CUresult sim_cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
    return change_node_to_record(hNode, nodeParams);
}

CUresult sim_cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
    return change_node_to_record(hNode, nodeParams);
}

CUresult sim_cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
    return change_executable_to_record(hGraphExec, hNode, nodeParams);
}

CUresult sim_cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                            const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
    return change_executable_to_record(hGraphExec, hNode, nodeParams);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
