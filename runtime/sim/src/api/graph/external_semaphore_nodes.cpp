// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/change_node.hpp"

/// Nodes that signal semaphores of another interface, and nodes that wait for them.
namespace CUBIND_NAMESPACE::sim {

namespace {

CUgraphNodeParams operations(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& signals) {
    CUgraphNodeParams parameters = parameters_for(SemaphoreSignals::type);
    parameters.extSemSignal = {signals.extSemArray, signals.paramsArray, signals.numExtSems, {nullptr}};
    return parameters;
}

CUgraphNodeParams operations(const CUDA_EXT_SEM_WAIT_NODE_PARAMS& waits) {
    CUgraphNodeParams parameters = parameters_for(SemaphoreWaits::type);
    parameters.extSemWait = {waits.extSemArray, waits.paramsArray, waits.numExtSems, {nullptr}};
    return parameters;
}

template <class Parameters>
CUresult add_semaphores(const NewNode& position, const Parameters* requested) {
    if (requested == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = operations(*requested);
    return add_node_from_parameters(position, parameters);
}

template <class Parameters>
CUresult change(CUgraphNode node, const Parameters* requested) {
    return requested != nullptr ? change_node(node, operations(*requested)) : CUDA_ERROR_INVALID_VALUE;
}

template <class Parameters>
CUresult change(CUgraphExec executable, CUgraphNode node, const Parameters* requested) {
    return requested != nullptr ? change_executable(executable, node, operations(*requested)) : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

CUresult sim_cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                                    std::size_t numDependencies,
                                                    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
    return add_semaphores({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                                  std::size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
    return add_semaphores({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
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
    return change(hNode, nodeParams);
}

CUresult sim_cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
    return change(hNode, nodeParams);
}

CUresult sim_cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
    return change(hGraphExec, hNode, nodeParams);
}

CUresult sim_cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                            const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
    return change(hGraphExec, hNode, nodeParams);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
