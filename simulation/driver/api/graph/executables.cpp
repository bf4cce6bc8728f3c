// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "machine/graph_check.hpp"
#include "machine/stream_check.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks whether the node may be disabled, which applies to kernels, copies and fills.
bool can_be_disabled(const Node& node) {
    const CUgraphNodeType type = type_of(node.operation);
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET;
}

}  // namespace

extern "C" {

CUresult sim_cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    if (stream.is_captured()) return refuse_capture(machine().graph_store, stream.stream);
    const Valid<ExecutableCheck> executable(hGraphExec);
    return executable->launch(*stream);
}

// Everything that a launch needs is available already.
CUresult sim_cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    if (stream.is_captured()) return refuse_capture(machine().graph_store, stream.stream);
    const ExecutableCheck executable(hGraphExec);
    if (!executable.failed()) executable->upload();
    return executable.status;
}

// Launches in progress continue.
CUresult sim_cuGraphExecDestroy(CUgraphExec hGraphExec) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    const ExecutableCheck executable(hGraphExec);
    if (!executable.failed()) executable.store().executables.remove(hGraphExec);
    return executable.status;
}

CUresult sim_cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t* flags) {
    const ExecutableCheck executable(hGraphExec);
    // The driver returns neither the flag for an upload nor the flag for priorities of nodes.
    constexpr cuuint64_t hidden = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    return executable.failed() ? executable.status : write_output(flags, executable->flags & ~hidden);
}

CUresult sim_cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* resultInfo) {
    const ExecutableCheck executable(hGraphExec);
    if (executable.failed()) return executable.status;
    const auto graph = executable.store().graphs.find(hGraph);
    if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUgraphExecUpdateResultInfo info = executable->update(*graph, executable.store().memory);
    if (resultInfo != nullptr) *resultInfo = info;
    return info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

CUresult sim_cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode* hErrorNode_out,
                               CUgraphExecUpdateResult* updateResult_out) {
    CUgraphExecUpdateResultInfo info{CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
    const CUresult status = sim_cuGraphExecUpdate_v2(hGraphExec, hGraph, &info);
    if (hErrorNode_out != nullptr) *hErrorNode_out = info.errorNode;
    if (updateResult_out != nullptr) *updateResult_out = info.result;
    return status;
}

CUresult sim_cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled) {
    const Valid<ExecutableNodeCheck> check(hGraphExec, hNode);
    if (!can_be_disabled(*check.node)) return CUDA_ERROR_INVALID_VALUE;
    check->change(hNode).is_enabled = isEnabled != 0;
    return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int* isEnabled) {
    const Valid<ExecutableNodeCheck> check(hGraphExec, hNode);
    return can_be_disabled(*check.node) ? write_output(isEnabled, check.node->is_enabled ? 1u : 0u) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
