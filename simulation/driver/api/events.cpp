// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "machine/submit.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr unsigned known_flags = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

/// An event, found by its handle.
struct EventCheck {
    explicit EventCheck(CUevent handle, InHostFunction in_host_function = InHostFunction::refused)
        : status(check_initialized(in_host_function)) {
        if (status != CUDA_SUCCESS) return;
        event = machine().events.find(handle);
        status = event != nullptr ? fault() : CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    Event* operator->() const noexcept { return event.get(); }
    CUresult fault() const noexcept { return event->context->device.fault(); }

    CUresult status;
    std::shared_ptr<Event> event;
};

// Rejects waits for an event that was last recorded in a capture, and all waits while a capture forbids them.
CUresult check_wait(const EventCheck& event) {
    return event->is_captured() ? refuse_captured_event(machine().graph_store, *event.event, true) : check_unsafe_call();
}

}  // namespace

extern "C" {

CUresult sim_cuEventCreate(CUevent* phEvent, unsigned int Flags) {
    const Valid<CurrentCheck> context;
    // Events for other processes cannot record times.
    const bool has_timing_conflict = (Flags & CU_EVENT_INTERPROCESS) != 0 && (Flags & CU_EVENT_DISABLE_TIMING) == 0;
    if (phEvent == nullptr || (Flags & ~known_flags) != 0 || has_timing_conflict) return CUDA_ERROR_INVALID_VALUE;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if ((Flags & CU_EVENT_INTERPROCESS) == 0) return write_output(phEvent, add_new(machine().events, owner, Flags)->handle);
    auto shared = SharedEvent::create();
    if (shared == nullptr) return CUDA_ERROR_OPERATING_SYSTEM;
    return write_output(phEvent, add_new(machine().events, owner, Flags, std::move(shared))->handle);
}

CUresult sim_cuEventDestroy_v2(CUevent hEvent) {
    const Valid<EventCheck> event(hEvent);
    return machine().events.remove(hEvent) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult sim_cuEventDestroy(CUevent hEvent) {
    return sim_cuEventDestroy_v2(hEvent);
}

CUresult sim_cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
    Valid<EventCheck> event(hEvent, InHostFunction::permitted);
    const Valid<StreamCheck> stream(hStream, InHostFunction::permitted);
    if ((flags & ~unsigned{CU_EVENT_RECORD_EXTERNAL}) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (event->context.get() != stream->context.get()) return CUDA_ERROR_INVALID_HANDLE;
    return submit(stream, RecordOperation{std::move(event.event)}, flags);
}

CUresult sim_cuEventRecord(CUevent hEvent, CUstream hStream) {
    return sim_cuEventRecordWithFlags(hEvent, hStream, 0);
}

CUresult sim_cuEventQuery(CUevent hEvent) {
    const Valid<EventCheck> event(hEvent, InHostFunction::permitted);
    if (const CUresult status = check_wait(event)) return status;
    return event->is_done() ? event.fault() : CUDA_ERROR_NOT_READY;
}

CUresult sim_cuEventSynchronize(CUevent hEvent) {
    const Valid<EventCheck> event(hEvent);
    if (const CUresult status = check_wait(event)) return status;
    event->record().ticket.wait();
    return event.fault();
}

CUresult sim_cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
    const Valid<EventCheck> start(hStart);
    const Valid<EventCheck> end(hEnd);
    if (pMilliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (const EventCheck* const event : {&start, &end}) {
        if ((*event)->is_captured()) return refuse_captured_event(machine().graph_store, *event->event, false);
    }
    const Event::Record first = start->record();
    const Event::Record last = end->record();
    const bool has_times = start->has_timing() && end->has_timing() && first.exists && last.exists;
    if (!has_times || start->context != end->context) return CUDA_ERROR_INVALID_HANDLE;
    if (!first.ticket.is_done() || !last.ticket.is_done()) return CUDA_ERROR_NOT_READY;
    *pMilliseconds = std::chrono::duration<float, std::milli>(last.completion_time() - first.completion_time()).count();
    return CUDA_SUCCESS;
}

CUresult sim_cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
    return sim_cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
