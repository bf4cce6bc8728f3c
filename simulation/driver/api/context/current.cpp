// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuCtxGetCurrent(CUcontext* pctx) {
    if (const CUresult status = check_initialized()) return status;
    const auto& stack = context_stack();
    return write_output(pctx, stack.empty() ? nullptr : stack.back().handle());
}

// A primary context and a green context can be made current even after they ended.
CUresult sim_cuCtxSetCurrent(CUcontext ctx) {
    if (const CUresult status = check_initialized()) return status;
    auto& stack = context_stack();
    if (ctx == nullptr) {
        if (!stack.empty()) stack.pop_back();
        return CUDA_SUCCESS;
    }
    CurrentContext context = find_context(ctx);
    if (context.context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.empty()) {
        stack.push_back(std::move(context));
    } else {
        stack.back() = std::move(context);
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxPushCurrent_v2(CUcontext ctx) {
    if (const CUresult status = check_initialized()) return status;
    if (ctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CurrentContext context = find_context(ctx);
    if (context.context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    context_stack().push_back(std::move(context));
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxPushCurrent(CUcontext ctx) {
    return sim_cuCtxPushCurrent_v2(ctx);
}

CUresult sim_cuCtxPopCurrent_v2(CUcontext* pctx) {
    if (const CUresult status = check_initialized()) return status;
    auto& stack = context_stack();
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (pctx != nullptr) *pctx = stack.back().handle();
    stack.pop_back();
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxPopCurrent(CUcontext* pctx) {
    return sim_cuCtxPopCurrent_v2(pctx);
}

CUresult sim_cuCtxGetDevice(CUdevice* device) {
    if (const CUresult status = check_initialized()) return status;
    // A destroyed context still returns its device.
    const Context* const context = current_context();
    return context != nullptr ? write_output(device, context->device.ordinal) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult sim_cuCtxSynchronize() {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_context_wait(*context)) return status;
    context->order.wait();
    return context->device.fault();
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
