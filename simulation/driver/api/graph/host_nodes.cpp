// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/node_records.hpp"

/// Empty nodes, host nodes, child graph nodes and event nodes.
namespace CUBIND_NAMESPACE::sim {

namespace {

CUgraphNodeParams child(CUgraph graph) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_GRAPH);
    parameters.graph.graph = graph;
    return parameters;
}

CUgraphNodeParams record(CUevent event) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    parameters.eventRecord.event = event;
    return parameters;
}

CUgraphNodeParams wait(CUevent event) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_WAIT_EVENT);
    parameters.eventWait.event = event;
    return parameters;
}

CUresult add(const NewNode& position, CUgraphNodeParams parameters) {
    return add_node_from_parameters(position, parameters);
}

}  // namespace

extern "C" {

CUresult sim_cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                 std::size_t numDependencies) {
    return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, parameters_for(CU_GRAPH_NODE_TYPE_EMPTY));
}

CUresult sim_cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                std::size_t numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams) {
    return add_node_from_record({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_HOST, [&](const CUgraphNodeParams& parameters) {
        return write_output(nodeParams, CUDA_HOST_NODE_PARAMS{parameters.host.fn, parameters.host.userData});
    });
}

CUresult sim_cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams) {
    return change_node_to_record(hNode, nodeParams);
}

CUresult sim_cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams) {
    return change_executable_to_record(hGraphExec, hNode, nodeParams);
}

CUresult sim_cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                      std::size_t numDependencies, CUgraph childGraph) {
    return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, child(childGraph));
}

CUresult sim_cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph* phGraph) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_GRAPH,
                     [&](const CUgraphNodeParams& parameters) { return write_output(phGraph, parameters.graph.graph); });
}

CUresult sim_cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph) {
    return change_executable(hGraphExec, hNode, child(childGraph));
}

CUresult sim_cuGraphAddEventRecordNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                       std::size_t numDependencies, CUevent event) {
    return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, record(event));
}

CUresult sim_cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                     [&](const CUgraphNodeParams& parameters) { return write_output(event_out, parameters.eventRecord.event); });
}

CUresult sim_cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
    return change_node(hNode, record(event));
}

CUresult sim_cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
    return change_executable(hGraphExec, hNode, record(event));
}

CUresult sim_cuGraphAddEventWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                     std::size_t numDependencies, CUevent event) {
    return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, wait(event));
}

CUresult sim_cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                     [&](const CUgraphNodeParams& parameters) { return write_output(event_out, parameters.eventWait.event); });
}

CUresult sim_cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
    return change_node(hNode, wait(event));
}

CUresult sim_cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
    return change_executable(hGraphExec, hNode, wait(event));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
