// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/node_params.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "convert/copies.hpp"
#include "state/call.hpp"
#include "state/execution_context.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

template <class To, class From>
void convert_same_layout(To& to, const From& from) noexcept {
    static_assert(sizeof to == sizeof from);
    std::memcpy(&to, &from, sizeof to);
}

// Converts the parameters of the types of nodes that have the same layout in both APIs and no context. Returns false for other
// types.
template <class To, class From>
bool convert_without_context(cudaGraphNodeType type, To& to, const From& from) noexcept {
    switch (type) {
        case cudaGraphNodeTypeHost:
            convert_same_layout(to.host, from.host);
            return true;
        case cudaGraphNodeTypeGraph:
            convert_same_layout(to.graph, from.graph);
            return true;
        case cudaGraphNodeTypeWaitEvent:
            convert_same_layout(to.eventWait, from.eventWait);
            return true;
        case cudaGraphNodeTypeEventRecord:
            convert_same_layout(to.eventRecord, from.eventRecord);
            return true;
        case cudaGraphNodeTypeMemAlloc:
            convert_same_layout(to.alloc, from.alloc);
            return true;
        case cudaGraphNodeTypeMemFree:
            convert_same_layout(to.free, from.free);
            return true;
        default:
            return false;
    }
}

CUcontext context_of_node(cudaExecutionContext_t context) noexcept {
    CUcontext current = nullptr;
    if (context != nullptr) return context_of(context);
    return cuCtxGetCurrent(&current) == CUDA_SUCCESS ? current : nullptr;
}

bool has_reserved_value(const cudaGraphNodeParams& parameters) noexcept {
    const auto& reserved = parameters.reserved0;
    return std::any_of(std::begin(reserved), std::end(reserved), [](int each) { return each != 0; }) || parameters.reserved2 != 0;
}

cudaError_t convert_kernel(const cudaKernelNodeParamsV2& from, CUDA_KERNEL_NODE_PARAMS_v3& to) {
    const cudaKernelNodeParams plain = {from.func,           from.gridDim,      from.blockDim,
                                        from.sharedMemBytes, from.kernelParams, from.extra};
    CUDA_KERNEL_NODE_PARAMS converted = {};
    const cudaError_t status = to_driver(plain, converted);
    convert_same_layout(to, converted);
    to.ctx = nullptr;  // the current context
    return status;
}

}  // namespace

cudaError_t to_driver(const cudaKernelNodeParams& parameters, CUDA_KERNEL_NODE_PARAMS& converted) {
    converted = {};
    Launchable launchable;
    const cudaError_t status = find_launchable(parameters.func, launchable);
    converted.func = launchable.handle;
    CUkernel const kernel = reinterpret_cast<CUkernel>(converted.func);
    CUfunction ignored = nullptr;
    if (status == cudaSuccess && cuKernelGetFunction(&ignored, kernel) == CUDA_SUCCESS) {
        converted.kern = kernel;
        converted.func = nullptr;
    }
    converted.gridDimX = parameters.gridDim.x;
    converted.gridDimY = parameters.gridDim.y;
    converted.gridDimZ = parameters.gridDim.z;
    converted.blockDimX = parameters.blockDim.x;
    converted.blockDimY = parameters.blockDim.y;
    converted.blockDimZ = parameters.blockDim.z;
    converted.sharedMemBytes = parameters.sharedMemBytes;
    converted.kernelParams = parameters.kernelParams;
    converted.extra = parameters.extra;
    return status;
}

cudaKernelNodeParams from_driver(const CUDA_KERNEL_NODE_PARAMS& parameters) {
    cudaKernelNodeParams converted;
    const void* const host_function = host_function_of(parameters.kern, parameters.func);
    void* const handle = parameters.kern != nullptr ? as<void*>(parameters.kern) : as<void*>(parameters.func);
    converted.func = host_function != nullptr ? const_cast<void*>(host_function) : handle;
    converted.gridDim = {parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ};
    converted.blockDim = {parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ};
    converted.sharedMemBytes = parameters.sharedMemBytes;
    converted.kernelParams = parameters.kernelParams;
    converted.extra = parameters.extra;
    return converted;
}

cudaError_t to_driver(const cudaGraphNodeParams& parameters, CUgraphNodeParams& converted) {
    converted = {};
    converted.type = static_cast<CUgraphNodeType>(parameters.type);
    if (has_reserved_value(parameters)) return cudaErrorInvalidValue;
    switch (parameters.type) {
        case cudaGraphNodeTypeKernel:
            return convert_kernel(parameters.kernel, converted.kernel);
        case cudaGraphNodeTypeMemcpy: {
            BoxCopy copy;
            if (const cudaError_t status = to_box(parameters.memcpy.copyParams, copy)) return status;
            converted.memcpy.flags = parameters.memcpy.flags;
            converted.memcpy.copyCtx = context_of_node(parameters.memcpy.ctx);
            converted.memcpy.copyParams = to_driver(copy);
            return cudaSuccess;
        }
        case cudaGraphNodeTypeMemset:
            convert_same_layout(converted.memset, parameters.memset);
            converted.memset.ctx = context_of_node(parameters.memset.ctx);
            return cudaSuccess;
        case cudaGraphNodeTypeConditional:
            convert_same_layout(converted.conditional, parameters.conditional);
            converted.conditional.ctx = context_of_node(parameters.conditional.ctx);
            return cudaSuccess;
        case cudaGraphNodeTypeEmpty:
            return cudaSuccess;
        case cudaGraphNodeTypeExtSemaphoreSignal:
        case cudaGraphNodeTypeExtSemaphoreWait:
        case cudaGraphNodeTypeMemcpyBatch:
            return cudaErrorNotSupported;
        default:
            return convert_without_context(parameters.type, converted, parameters) ? cudaSuccess : cudaErrorInvalidValue;
    }
}

cudaError_t from_driver(const CUgraphNodeParams& parameters, cudaGraphNodeParams& converted) {
    converted = {};
    converted.type = static_cast<cudaGraphNodeType>(parameters.type);
    switch (converted.type) {
        case cudaGraphNodeTypeKernel: {
            CUDA_KERNEL_NODE_PARAMS kernel = {};
            convert_same_layout(kernel, parameters.kernel);
            const cudaKernelNodeParams plain = from_driver(kernel);
            converted.kernel = {{plain.func},       plain.gridDim, plain.blockDim, plain.sharedMemBytes,
                                plain.kernelParams, plain.extra,   nullptr,        cudaKernelFunctionTypeUnspecified};
            return cudaSuccess;
        }
        case cudaGraphNodeTypeMemcpy:
            converted.memcpy.flags = parameters.memcpy.flags;
            return from_driver(parameters.memcpy.copyParams, converted.memcpy.copyParams);
        case cudaGraphNodeTypeMemset:
            convert_same_layout(converted.memset, parameters.memset);
            converted.memset.ctx = nullptr;
            return cudaSuccess;
        case cudaGraphNodeTypeConditional:
            convert_same_layout(converted.conditional, parameters.conditional);
            converted.conditional.ctx = nullptr;
            return cudaSuccess;
        default:
            convert_without_context(converted.type, converted, parameters);
            return cudaSuccess;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
