// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/change_node.hpp"

/// Nodes that copy, fill, allocate and free.
namespace CUBIND_NAMESPACE::sim {

namespace {

CUgraphNodeParams copy(const CUDA_MEMCPY3D& box, CUcontext context) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_MEMCPY);
    parameters.memcpy.copyParams = box;
    parameters.memcpy.copyCtx = context;
    return parameters;
}

CUgraphNodeParams fill(const CUDA_MEMSET_NODE_PARAMS& f, CUcontext context) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_MEMSET);
    parameters.memset = {f.dst, f.pitch, f.value, f.elementSize, f.width, f.height, context};
    return parameters;
}

// Reads the context of a node. Functions without a context parameter preserve it when they change a node.
template <class Operation>
CUresult read_context(CUgraphNode handle, CUcontext& context) {
    return read_node(handle, Operation::type, [&](const CUgraphNodeParams& parameters) {
        context = parameters.type == CU_GRAPH_NODE_TYPE_MEMCPY ? parameters.memcpy.copyCtx : parameters.memset.ctx;
        return CUDA_SUCCESS;
    });
}

// An executable graph can change only copies of one dimension.
bool has_one_dimension(const CUDA_MEMCPY3D& box) noexcept {
    return box.Height <= 1 && box.Depth <= 1;
}

}  // namespace

extern "C" {

CUresult sim_cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  std::size_t numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
    if (copyParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = copy(*copyParams, ctx);
    return add_node_from_parameters({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, parameters);
}

CUresult sim_cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_MEMCPY,
                     [&](const CUgraphNodeParams& parameters) { return write_output(nodeParams, parameters.memcpy.copyParams); });
}

CUresult sim_cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams) {
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUcontext context = nullptr;
    if (const CUresult status = read_context<CopyOperation>(hNode, context)) return status;
    return change_node(hNode, copy(*nodeParams, context));
}

CUresult sim_cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D* copyParams,
                                            CUcontext ctx) {
    if (copyParams == nullptr || !has_one_dimension(*copyParams)) return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D original{};
    const bool is_copy = sim_cuGraphMemcpyNodeGetParams(hNode, &original) == CUDA_SUCCESS;
    if (is_copy && !has_one_dimension(original)) return CUDA_ERROR_INVALID_VALUE;
    return change_executable(hGraphExec, hNode, copy(*copyParams, ctx));
}

CUresult sim_cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  std::size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx) {
    if (memsetParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = fill(*memsetParams, ctx);
    return add_node_from_parameters({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, parameters);
}

CUresult sim_cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS* nodeParams) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_MEMSET, [&](const CUgraphNodeParams& parameters) {
        const CUDA_MEMSET_NODE_PARAMS_v2& f = parameters.memset;
        return write_output(nodeParams, CUDA_MEMSET_NODE_PARAMS{f.dst, f.pitch, f.value, f.elementSize, f.width, f.height});
    });
}

CUresult sim_cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* nodeParams) {
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUcontext context = nullptr;
    if (const CUresult status = read_context<FillOperation>(hNode, context)) return status;
    return change_node(hNode, fill(*nodeParams, context));
}

CUresult sim_cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx) {
    return memsetParams != nullptr ? change_executable(hGraphExec, hNode, fill(*memsetParams, ctx)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                    std::size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    parameters.alloc = {nodeParams->poolProps, nodeParams->accessDescs, nodeParams->accessDescCount, nodeParams->bytesize, 0};
    const CUresult status = add_node_from_parameters({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, parameters);
    if (status == CUDA_SUCCESS) nodeParams->dptr = parameters.alloc.dptr;
    return status;
}

CUresult sim_cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS* params_out) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC, [&](const CUgraphNodeParams& parameters) {
        const CUDA_MEM_ALLOC_NODE_PARAMS_v2& a = parameters.alloc;
        return write_output(params_out,
                            CUDA_MEM_ALLOC_NODE_PARAMS{a.poolProps, a.accessDescs, a.accessDescCount, a.bytesize, a.dptr});
    });
}

CUresult sim_cuGraphAddMemFreeNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                   std::size_t numDependencies, CUdeviceptr dptr) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_MEM_FREE);
    parameters.free.dptr = dptr;
    return add_node_from_parameters({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, parameters);
}

CUresult sim_cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr* dptr_out) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE,
                     [&](const CUgraphNodeParams& parameters) { return write_output(dptr_out, parameters.free.dptr); });
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
