// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr unsigned api_version = 3020;

}  // namespace

extern "C" {

CUresult sim_cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    if (pctx == nullptr || !are_context_flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult fault = device->fault()) return fault;
    const auto context =
        add_new(machine().contexts, *device, machine().memory, flags, api_version, machine().coredump.for_context(flags));
    context_stack().push_back({context, nullptr});
    *pctx = context->handle;
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
    return sim_cuCtxCreate_v2(pctx, flags, dev);
}

// Affinity to some multiprocessors has no effect in a simulation.
CUresult sim_cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams, unsigned int flags, CUdevice dev) {
    if (numParams < 0 || (numParams > 0 && paramsArray == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    return sim_cuCtxCreate_v2(pctx, flags, dev);
}

CUresult sim_cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev) {
    if (ctxCreateParams != nullptr && ctxCreateParams->cigParams != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
    return sim_cuCtxCreate_v2(pctx, flags, dev);
}

CUresult sim_cuCtxDestroy_v2(CUcontext ctx) {
    if (const CUresult status = check_initialized()) return status;
    if (ctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto context = machine().contexts.find(ctx);
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    // Primary contexts must be released, not destroyed.
    if (is_primary(*context) || machine().contexts.remove(ctx) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    auto& stack = context_stack();
    if (!stack.empty() && stack.back().context == context) stack.pop_back();
    machine().shut_down(*context);
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxDestroy(CUcontext ctx) {
    return sim_cuCtxDestroy_v2(ctx);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
