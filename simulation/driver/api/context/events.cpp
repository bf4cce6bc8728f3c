// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A context and an event that exists, for a call for all streams of the context. Such a call cannot be captured.
struct ContextEventCheck {
    ContextEventCheck(CUcontext context_handle, CUevent event_handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        context = machine().contexts.find(context_handle);
        event = machine().events.find(event_handle);
        status = check();
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }

    CUresult status;
    std::shared_ptr<Context> context;
    std::shared_ptr<Event> event;

private:
    CUresult check() const {
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (!context->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
        if (const CUresult fault = context->device.fault()) return fault;
        if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        return check_context_wait(*context);
    }
};

}  // namespace

extern "C" {

CUresult sim_cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent) {
    if (const auto green = find_context(hCtx).green) return sim_cuGreenCtxRecordEvent(green->handle, hEvent);
    const Valid<ContextEventCheck> check(hCtx, hEvent);
    if (check.event->context != check.context) return CUDA_ERROR_INVALID_HANDLE;
    StreamOrder& order = check.context->order;
    std::vector<Ticket> tickets;
    for (const auto& stream : order.streams()) {
        if (const CUresult status = order.submit(*stream, {}, {}, &tickets.emplace_back())) return status;
    }
    // The record waits for all streams, but no stream waits for it.
    const auto recorder = std::make_shared<Stream>(nullptr, check.context, check.context->device, CU_STREAM_NON_BLOCKING, 0);
    const auto later = std::make_shared<Event::Clock::time_point>();
    const auto work = [later] { *later = Event::Clock::now(); };
    Ticket ticket;
    order.add(recorder);
    const CUresult status = order.submit(*recorder, work, std::move(tickets), &ticket);
    order.remove(*recorder);
    if (status != CUDA_SUCCESS) return status;
    check.event->set_record({.ticket = std::move(ticket), .exists = true, .time = {}, .later = later});
    return CUDA_SUCCESS;
}

// Work of streams that are created later does not wait.
CUresult sim_cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent) {
    if (const auto green = find_context(hCtx).green) return sim_cuGreenCtxWaitEvent(green->handle, hEvent);
    const Valid<ContextEventCheck> check(hCtx, hEvent);
    if (check.event->is_captured()) {
        (void)refuse_captured_event(machine().graph_store, *check.event, true);
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    const Ticket ticket = check.event->record().ticket;
    if (ticket.is_done()) return CUDA_SUCCESS;
    StreamOrder& order = check.context->order;
    for (const auto& stream : order.streams()) {
        if (const CUresult status = order.submit(*stream, {}, {ticket})) return status;
    }
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
