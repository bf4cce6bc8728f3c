// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "machine/green_check.hpp"
#include "machine/submit.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

std::vector<std::shared_ptr<Stream>> streams_of(const GreenContext& green) {
    std::vector<std::shared_ptr<Stream>> streams = machine().streams.all();
    std::erase_if(streams, [&](const auto& stream) { return stream->green.get() != &green; });
    return streams;
}

// A call for all streams cannot be captured: it invalidates the captures of the streams.
CUresult refuse_captures(const std::vector<std::shared_ptr<Stream>>& streams) {
    CUresult status = CUDA_SUCCESS;
    for (const auto& stream : streams) {
        if (!stream->is_captured.load(std::memory_order_relaxed)) continue;
        (void)refuse_capture(machine().graph_store, stream);
        status = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return status;
}

}  // namespace

extern "C" {

// Retains the primary context, as the driver does. Without a description, the green context has all resources of the device.
CUresult sim_cuGreenCtxCreate(CUgreenCtx* phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags) {
    const Valid<DeviceCheck> device(dev);
    constexpr int first_release_without_default_stream = 13030;
    const bool needs_default_stream = machine().release < first_release_without_default_stream;
    if (phCtx == nullptr || (flags & ~unsigned{CU_GREEN_CTX_DEFAULT_STREAM}) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (needs_default_stream && flags == 0) return CUDA_ERROR_INVALID_VALUE;
    const auto descriptor = machine().resource_descriptors.find(desc);
    if (descriptor == nullptr && desc != nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (descriptor != nullptr && descriptor->device != dev) return CUDA_ERROR_INVALID_DEVICE;
    CUcontext primary = nullptr;
    if (const CUresult status = sim_cuDevicePrimaryCtxRetain(&primary, dev)) return status;
    const auto context = machine().contexts.find(primary);
    const auto resources = descriptor != nullptr ? descriptor->resources : std::vector<CUdevResource>();
    const auto green = add_new(machine().green_contexts, context, resources);
    machine().contexts.add(green->view, context);
    *phCtx = green->handle;
    return CUDA_SUCCESS;
}

// The streams remain until they are destroyed, but cannot be used. The handles remain known until the primary context ends.
CUresult sim_cuGreenCtxDestroy(CUgreenCtx hCtx) {
    const Valid<GreenCheck> green(hCtx);
    if (!green->end()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;  // another thread is destroying it, too
    (void)refuse_captures(streams_of(*green.green));
    return sim_cuDevicePrimaryCtxRelease_v2(green->context->device.ordinal);
}

CUresult sim_cuCtxFromGreenCtx(CUcontext* pContext, CUgreenCtx hCtx) {
    const Valid<GreenCheck> green(hCtx);
    return write_output(pContext, green->view);
}

CUresult sim_cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long* greenCtxId) {
    const Valid<GreenCheck> green(greenCtx);
    return write_output(greenCtxId, green->id);
}

CUresult sim_cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent) {
    const Valid<GreenCheck> green(hCtx);
    const auto event = machine().events.find(hEvent);
    if (event == nullptr || event->context != green->context) return CUDA_ERROR_INVALID_HANDLE;
    const auto streams = streams_of(*green.green);
    if (const CUresult status = refuse_captures(streams)) return status;
    StreamOrder& order = green->context->order;
    std::vector<Ticket> tickets;
    for (const auto& stream : streams) {
        if (const CUresult status = order.submit(*stream, {}, {}, &tickets.emplace_back())) return status;
    }
    const auto later = std::make_shared<Event::Clock::time_point>();
    Ticket ticket;
    const auto shared = event->begin_shared_record();
    const auto work = [later, shared] {
        *later = Event::Clock::now();
        if (shared != nullptr) shared->complete();
    };
    if (const CUresult status = order.submit(*green->events, work, std::move(tickets), &ticket)) return status;
    event->set_record({.ticket = std::move(ticket),
                       .exists = true,
                       .time = {},
                       .later = later,
                       .shared_number = shared != nullptr ? shared->number : 0});
    return CUDA_SUCCESS;
}

CUresult sim_cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent) {
    const Valid<GreenCheck> green(hCtx);
    const auto event = machine().events.find(hEvent);
    if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto streams = streams_of(*green.green);
    const bool is_captured = event->is_captured();
    const CUresult refused = is_captured ? refuse_captured_event(machine().graph_store, *event, true) : CUDA_SUCCESS;
    if (const CUresult status = refuse_captures(streams)) return status;
    if (is_captured) return refused;
    const Ticket ticket = event->record().ticket;
    if (ticket.is_done()) return CUDA_SUCCESS;
    green->add_awaited(ticket);
    for (const auto& stream : streams) {
        if (const CUresult status = green->context->order.submit(*stream, {}, {ticket})) return status;
    }
    return CUDA_SUCCESS;
}

// A green context has no per-thread default stream.
CUresult sim_cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx* phCtx) {
    const Valid<StreamCheck> stream(hStream);
    const auto green = stream.green();
    const bool is_per_thread = stream->handle == nullptr && stream.stream != stream->context->order.legacy();
    if (green != nullptr && is_per_thread) return CUDA_ERROR_INVALID_HANDLE;
    return write_output(phCtx, green != nullptr ? green->handle : nullptr);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
