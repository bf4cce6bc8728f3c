// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/copies.hpp"
#include "state/call.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

/// The nodes before a new node.
struct Place {
    cudaGraphNode_t* node;
    cudaGraph_t graph;
    const cudaGraphNode_t* dependencies;
    std::size_t count;
};

cudaError_t read_context(CUcontext& context) {
    return call_in_context(cuCtxGetCurrent, &context);
}

cudaError_t add_copy(const Place& place, const BoxCopy& copy) {
    CUcontext context = nullptr;
    if (const cudaError_t status = read_context(context)) return status;
    const CUDA_MEMCPY3D box = to_driver(copy);
    return status_of(cuGraphAddMemcpyNode(place.node, place.graph, place.dependencies, place.count, &box, context));
}

cudaError_t set_copy(cudaGraphNode_t node, const BoxCopy& copy) {
    const CUDA_MEMCPY3D box = to_driver(copy);
    return call_in_context(cuGraphMemcpyNodeSetParams, node, &box);
}

cudaError_t set_copy(cudaGraphExec_t executable, cudaGraphNode_t node, const BoxCopy& copy) {
    CUcontext context = nullptr;
    if (const cudaError_t status = read_context(context)) return status;
    const CUDA_MEMCPY3D box = to_driver(copy);
    return status_of(cuGraphExecMemcpyNodeSetParams(executable, node, &box, context));
}

cudaError_t make_box(const cudaMemcpy3DParms* parameters, BoxCopy& copy) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    return to_box(*parameters, copy);
}

cudaError_t make_linear(void* to, const void* from, std::size_t count, cudaMemcpyKind kind, BoxCopy& copy) {
    copy.from = memory_side(from, 0);
    copy.to = memory_side(to, 0);
    copy.width = count;
    return set_direction(copy, kind);
}

cudaError_t make_to_variable(const void* symbol, const void* from, std::size_t count, std::size_t offset, cudaMemcpyKind kind,
                             BoxCopy& copy) {
    char* part = nullptr;
    if (const cudaError_t status = find_variable_part(symbol, count, offset, part)) return status;
    return make_linear(part, from, count, kind, copy);
}

cudaError_t make_from_variable(void* to, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind,
                               BoxCopy& copy) {
    char* part = nullptr;
    if (const cudaError_t status = find_variable_part(symbol, count, offset, part)) return status;
    return make_linear(to, part, count, kind, copy);
}

}  // namespace

extern "C" {

cudaError_t sim_cudaGraphAddMemcpyNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                       std::size_t numDependencies, const cudaMemcpy3DParms* pCopyParams) {
    BoxCopy copy;
    if (const cudaError_t status = make_box(pCopyParams, copy)) return status;
    return add_copy({pGraphNode, graph, pDependencies, numDependencies}, copy);
}

cudaError_t sim_cudaGraphAddMemcpyNode1D(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                         std::size_t numDependencies, void* dst, const void* src, std::size_t count,
                                         cudaMemcpyKind kind) {
    BoxCopy copy;
    if (const cudaError_t status = make_linear(dst, src, count, kind, copy)) return status;
    return add_copy({pGraphNode, graph, pDependencies, numDependencies}, copy);
}

cudaError_t sim_cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t* pDependencies, std::size_t numDependencies,
                                               const void* symbol, const void* src, std::size_t count, std::size_t offset,
                                               cudaMemcpyKind kind) {
    BoxCopy copy;
    if (const cudaError_t status = make_to_variable(symbol, src, count, offset, kind, copy)) return status;
    return add_copy({pGraphNode, graph, pDependencies, numDependencies}, copy);
}

cudaError_t sim_cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                 const cudaGraphNode_t* pDependencies, std::size_t numDependencies, void* dst,
                                                 const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind) {
    BoxCopy copy;
    if (const cudaError_t status = make_from_variable(dst, symbol, count, offset, kind, copy)) return status;
    return add_copy({pGraphNode, graph, pDependencies, numDependencies}, copy);
}

cudaError_t sim_cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* pNodeParams) {
    CUDA_MEMCPY3D box = {};
    if (pNodeParams == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = call_in_context(cuGraphMemcpyNodeGetParams, node, &box)) return status;
    return from_driver(box, *pNodeParams);
}

cudaError_t sim_cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* pNodeParams) {
    BoxCopy copy;
    const cudaError_t status = make_box(pNodeParams, copy);
    return status != cudaSuccess ? status : set_copy(node, copy);
}

cudaError_t sim_cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src, std::size_t count,
                                               cudaMemcpyKind kind) {
    BoxCopy copy;
    const cudaError_t status = make_linear(dst, src, count, kind, copy);
    return status != cudaSuccess ? status : set_copy(node, copy);
}

cudaError_t sim_cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* src, std::size_t count,
                                                     std::size_t offset, cudaMemcpyKind kind) {
    BoxCopy copy;
    const cudaError_t status = make_to_variable(symbol, src, count, offset, kind, copy);
    return status != cudaSuccess ? status : set_copy(node, copy);
}

cudaError_t sim_cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const void* symbol, std::size_t count,
                                                       std::size_t offset, cudaMemcpyKind kind) {
    BoxCopy copy;
    const cudaError_t status = make_from_variable(dst, symbol, count, offset, kind, copy);
    return status != cudaSuccess ? status : set_copy(node, copy);
}

cudaError_t sim_cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 const cudaMemcpy3DParms* pNodeParams) {
    BoxCopy copy;
    const cudaError_t status = make_box(pNodeParams, copy);
    return status != cudaSuccess ? status : set_copy(hGraphExec, node, copy);
}

cudaError_t sim_cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void* dst, const void* src,
                                                   std::size_t count, cudaMemcpyKind kind) {
    BoxCopy copy;
    const cudaError_t status = make_linear(dst, src, count, kind, copy);
    return status != cudaSuccess ? status : set_copy(hGraphExec, node, copy);
}

cudaError_t sim_cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const void* symbol,
                                                         const void* src, std::size_t count, std::size_t offset,
                                                         cudaMemcpyKind kind) {
    BoxCopy copy;
    const cudaError_t status = make_to_variable(symbol, src, count, offset, kind, copy);
    return status != cudaSuccess ? status : set_copy(hGraphExec, node, copy);
}

cudaError_t sim_cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void* dst,
                                                           const void* symbol, std::size_t count, std::size_t offset,
                                                           cudaMemcpyKind kind) {
    BoxCopy copy;
    const cudaError_t status = make_from_variable(dst, symbol, count, offset, kind, copy);
    return status != cudaSuccess ? status : set_copy(hGraphExec, node, copy);
}

cudaError_t sim_cudaGraphAddMemsetNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                       std::size_t numDependencies, const cudaMemsetParams* pMemsetParams) {
    CUcontext context = nullptr;
    if (const cudaError_t status = read_context(context)) return status;
    return call(cuGraphAddMemsetNode, pGraphNode, graph, pDependencies, numDependencies, pMemsetParams, context);
}

cudaError_t sim_cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 const cudaMemsetParams* pNodeParams) {
    CUcontext context = nullptr;
    if (const cudaError_t status = read_context(context)) return status;
    return call(cuGraphExecMemsetNodeSetParams, hGraphExec, node, pNodeParams, context);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
