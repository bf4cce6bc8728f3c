// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "machine/green_check.hpp"
#include "machine/stream_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// As in the driver, lower numbers mean higher priority.
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

CUresult create_stream(CUstream* handle, const std::shared_ptr<Context>& owner, unsigned flags, int priority,
                       const std::shared_ptr<GreenContext>& green) {
    const auto stream =
        add_new(machine().streams, owner, owner->device, flags, std::clamp(priority, greatest_priority, least_priority), green);
    owner->order.add(stream);
    if (!owner->is_alive()) {  // another thread is destroying the context, and may already have removed its streams
        machine().streams.remove(stream->handle);
        owner->order.remove(*stream);
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    if (green != nullptr) {
        if (auto awaited = green->awaited(); !awaited.empty()) (void)owner->order.submit(*stream, {}, std::move(awaited));
    }
    *handle = stream->handle;
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
    const Valid<CurrentCheck> context;
    if (leastPriority != nullptr) *leastPriority = least_priority;
    if (greatestPriority != nullptr) *greatestPriority = greatest_priority;
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
    const Valid<CurrentCheck> context;
    if (phStream == nullptr || (flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) return CUDA_ERROR_INVALID_VALUE;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return create_stream(phStream, owner, flags, priority, current_green());
}

// Works with every current context, and without one.
CUresult sim_cuGreenCtxStreamCreate(CUstream* phStream, CUgreenCtx greenCtx, unsigned int flags, int priority) {
    const Valid<GreenCheck> green(greenCtx);
    if (phStream == nullptr || flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    return create_stream(phStream, green->context, flags, priority, green.green);
}

CUresult sim_cuStreamCreate(CUstream* phStream, unsigned int Flags) {
    return sim_cuStreamCreateWithPriority(phStream, Flags, least_priority);
}

// Returns immediately. Submitted work is still performed.
CUresult sim_cuStreamDestroy_v2(CUstream hStream) {
    const StreamCheck stream(hStream);
    if (stream.failed() && !stream.is_detached) return stream.status;
    if (machine().streams.remove(hStream) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (stream.is_captured()) end_capture_of(machine().graph_store, *stream);
    stream->context->order.remove(*stream);
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamDestroy(CUstream hStream) {
    return sim_cuStreamDestroy_v2(hStream);
}

CUresult sim_cuStreamGetPriority(CUstream hStream, int* priority) {
    const Valid<StreamCheck> stream(hStream);
    return write_output(priority, stream->priority);
}

CUresult sim_cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
    const Valid<StreamCheck> stream(hStream);
    return write_output(flags, stream->flags);
}

CUresult sim_cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
    const Valid<StreamCheck> stream(hStream);
    return write_output(streamId, stream->id);
}

CUresult sim_cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
    const Valid<StreamCheck> stream(hStream);
    return write_output(pctx, stream.context_handle());
}

// For a stream of a green context, the first output is the primary context.
CUresult sim_cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
    const Valid<StreamCheck> stream(hStream);
    const auto green = stream.green();
    if (pGreenCtx == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pGreenCtx = green != nullptr ? green->handle : nullptr;
    return write_output(pCtx, stream->context->handle);
}

CUresult sim_cuStreamGetDevice(CUstream hStream, CUdevice* device) {
    const Valid<StreamCheck> stream(hStream);
    return write_output(device, stream->context->device.ordinal);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
