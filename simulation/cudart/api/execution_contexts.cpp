// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"
#include "state/execution_context.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// Calls a function of the driver with the context of an execution context as the first argument.
template <class... Parameters, class... Arguments>
cudaError_t call_with(CUresult (*function)(CUcontext, Parameters...), cudaExecutionContext_t context, Arguments... arguments) {
    if (context == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = initialize()) return status;
    return status_of(function(context_of(context), as<Parameters>(arguments)...));
}

CUresult create_stream(CUcontext context, CUstream* stream, unsigned int flags, int priority) noexcept {
    CUcontext same = nullptr;
    if (const CUresult status = cuCtxPushCurrent_v2(context)) return status;
    const CUresult status = cuStreamCreateWithPriority(stream, flags, priority);
    cuCtxPopCurrent_v2(&same);
    return status;
}

CUresult get_device(CUcontext context, int* device) noexcept {
    return cuCtxGetDevice_v2(device, context);
}

}  // namespace

extern "C" {

cudaError_t sim_cudaDeviceGetDevResource(int device, cudaDevResource* resource, cudaDevResourceType type) {
    return call(cuDeviceGetDevResource, device, resource, type);
}

cudaError_t sim_cudaDevSmResourceSplitByCount(cudaDevResource* result, unsigned int* nbGroups, const cudaDevResource* input,
                                              cudaDevResource* remaining, unsigned int flags, unsigned int minCount) {
    return call(cuDevSmResourceSplitByCount, result, nbGroups, input, remaining, flags, minCount);
}

cudaError_t sim_cudaDevSmResourceSplit(cudaDevResource* result, unsigned int nbGroups, const cudaDevResource* input,
                                       cudaDevResource* remainder, unsigned int flags,
                                       cudaDevSmResourceGroupParams* groupParams) {
    constexpr int first_release = 13010;
    if (const cudaError_t status = require_release(first_release)) return status;
    return call(cuDevSmResourceSplit, result, nbGroups, input, remainder, flags, groupParams);
}

cudaError_t sim_cudaDevResourceGenerateDesc(cudaDevResourceDesc_t* phDesc, cudaDevResource* resources, unsigned int nbResources) {
    return call(cuDevResourceGenerateDesc, phDesc, resources, nbResources);
}

cudaError_t sim_cudaDeviceGetExecutionCtx(cudaExecutionContext_t* ctx, int device) {
    CUcontext primary = nullptr;
    if (ctx == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = retain_primary(device, primary)) return status;
    *ctx = reinterpret_cast<cudaExecutionContext_t>(primary);
    return cudaSuccess;
}

// The driver requires its flag for a default stream until release 13.3.
cudaError_t sim_cudaGreenCtxCreate(cudaExecutionContext_t* phCtx, cudaDevResourceDesc_t desc, int device, unsigned int flags) {
    if (flags != 0) return cudaErrorInvalidValue;
    return call(cuGreenCtxCreate, phCtx, desc, device, CU_GREEN_CTX_DEFAULT_STREAM);
}

// A primary context is no green context, and cannot be destroyed.
cudaError_t sim_cudaExecutionCtxDestroy(cudaExecutionContext_t ctx) {
    if (const cudaError_t status = initialize()) return status;
    const CUresult status = cuGreenCtxDestroy(green_context_of(ctx));
    return status == CUDA_ERROR_INVALID_CONTEXT ? cudaErrorInvalidValue : status_of(status);
}

cudaError_t sim_cudaExecutionCtxGetDevice(int* device, cudaExecutionContext_t ctx) {
    return call_with(get_device, ctx, device);
}

cudaError_t sim_cudaExecutionCtxGetId(cudaExecutionContext_t ctx, unsigned long long* ctxId) {
    return call_with(cuCtxGetId, ctx, ctxId);
}

cudaError_t sim_cudaExecutionCtxGetDevResource(cudaExecutionContext_t ctx, cudaDevResource* resource, cudaDevResourceType type) {
    return call_with(cuCtxGetDevResource, ctx, resource, type);
}

cudaError_t sim_cudaExecutionCtxStreamCreate(cudaStream_t* phStream, cudaExecutionContext_t ctx, unsigned int flags,
                                             int priority) {
    return call_with(create_stream, ctx, phStream, flags, priority);
}

cudaError_t sim_cudaExecutionCtxSynchronize(cudaExecutionContext_t ctx) {
    return call_with(cuCtxSynchronize_v2, ctx);
}

cudaError_t sim_cudaExecutionCtxRecordEvent(cudaExecutionContext_t ctx, cudaEvent_t event) {
    return call_with(cuCtxRecordEvent, ctx, event);
}

cudaError_t sim_cudaExecutionCtxWaitEvent(cudaExecutionContext_t ctx, cudaEvent_t event) {
    return call_with(cuCtxWaitEvent, ctx, event);
}

// Drivers have cuStreamGetDevResource only since release 13.1.
cudaError_t sim_cudaStreamGetDevResource(cudaStream_t hStream, cudaDevResource* resource, cudaDevResourceType type) {
    CUcontext context = nullptr;
    CUgreenCtx green = nullptr;
    if (const cudaError_t status = call_in_context(cuStreamGetCtx_v2, driver_stream(hStream), &context, &green)) return status;
    return green != nullptr ? call(cuGreenCtxGetDevResource, green, resource, type)
                            : call(cuCtxGetDevResource, context, resource, type);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
