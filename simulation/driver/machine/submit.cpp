// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/submit.hpp"

#include "graph/capture/capture.hpp"
#include "machine/free_memory.hpp"
#include "objects/memory/allocate.hpp"
#include "objects/pool/pool.hpp"
#include "objects/virtual/kernel_memory.hpp"
#include "objects/virtual/shared_pool.hpp"
#include "work/kernel/launch_attributes.hpp"
#include "work/kernel/operation.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

GraphStore& store() {
    return machine().graph_store;
}

CUresult run_copy(const StreamCheck& stream, const CopyOperation& copy, const Device* device, TransferMode mode) {
    Operand target;
    Operand source;
    if (const CUresult status = copy.find(machine().memory, device, target, source)) return status;
    if (mode == TransferMode::sync) {
        stream->context->order.run(*stream, [&] { copy.run(target, source); });
        return stream.fault();
    }
    const bool is_staged = source.is_pageable() || copy.from.is_read_immediately;
    Ticket done;
    const CUresult status = stream.submit(is_staged ? copy.staged_work(target, source) : copy.work(target, source), {}, &done);
    if (status != CUDA_SUCCESS || !target.is_pageable()) return status;
    done.wait();
    return stream.fault();
}

// If the stream is idle, the event completes immediately.
CUresult run_record(const StreamCheck& stream, Event& event) {
    const auto shared = event.begin_shared_record();
    const std::uint64_t shared_number = shared != nullptr ? shared->number : 0;
    if (stream.is_idle()) {
        event.set_record(
            {.ticket = {}, .exists = true, .time = Event::Clock::now(), .later = nullptr, .shared_number = shared_number});
        return CUDA_SUCCESS;
    }
    const auto later = std::make_shared<Event::Clock::time_point>();
    const auto work = [later, shared] {
        *later = Event::Clock::now();
        if (shared != nullptr) shared->complete();
    };
    Ticket ticket;
    if (const CUresult status = stream.submit(work, {}, &ticket)) return status;
    event.set_record({.ticket = std::move(ticket), .exists = true, .time = {}, .later = later, .shared_number = shared_number});
    return CUDA_SUCCESS;
}

}  // namespace

CUresult submit(const StreamCheck& stream, const HostOperation& call) {
    return stream.is_captured() ? capture(store(), stream.stream, call) : stream.submit(call.work(stream->context->device));
}

CUresult submit(const StreamCheck& stream, LaunchRequest request) {
    if (stream.is_captured()) return capture(store(), stream.stream, KernelOperation(std::move(request)));
    // Only kernel nodes of graphs can be updated by a device.
    for (const CUlaunchAttribute& each : request.attributes) {
        if (each.id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE) return CUDA_ERROR_NOT_SUPPORTED;
    }
    return stream.submit([request = std::move(request)] { run_launch(request); });
}

CUresult submit(const StreamCheck& stream, CopyOperation copy, TransferMode mode) {
    // The device of the current context performs the copy, even if the stream belongs to another context.
    const Context* const current = current_context();
    const Device& device = current != nullptr ? current->device : stream->context->device;
    if (!stream.is_captured()) return run_copy(stream, copy, &device, mode);
    if (mode != TransferMode::async) return refuse_capture(store(), stream.stream);
    for (const Place* const place : {&copy.to, &copy.from}) {
        const bool is_address = place->array == nullptr;
        if (is_address && is_out_of_reach(machine().memory, place->address, device)) return CUDA_ERROR_INVALID_VALUE;
    }
    return capture(store(), stream.stream, std::move(copy));
}

CUresult submit_between_contexts(const StreamCheck& stream, const CopyOperation& copy, TransferMode mode) {
    return stream.is_captured() ? refuse_capture(store(), stream.stream) : run_copy(stream, copy, nullptr, mode);
}

CUresult submit(const StreamCheck& stream, FillOperation fill, TransferMode mode) {
    if (stream.is_captured()) {
        return mode == TransferMode::async ? capture(store(), stream.stream, std::move(fill))
                                           : refuse_capture(store(), stream.stream);
    }
    // Unlike a copy, a fill of another device's memory needs the access that a kernel needs.
    const auto found = machine().memory.find(fill.to.address);
    if (found != nullptr && !find_access_problem(*stream->context, machine().opened_memory, *found).empty())
        return CUDA_ERROR_INVALID_VALUE;
    WorkQueue::Work work;
    if (const CUresult status = fill.make_work(machine().memory, &stream->context->device, work)) return status;
    if (mode == TransferMode::async) return stream.submit(std::move(work));
    stream->context->order.run(*stream, work);
    return CUDA_SUCCESS;
}

CUresult submit(const StreamCheck& stream, MemoryOperations operations) {
    if (stream.is_captured()) return capture(store(), stream.stream, std::move(operations));
    WorkQueue::Work work;
    if (const CUresult status = operations.make_work(machine().memory, &stream->context->device, stream->context, work))
        return status;
    return stream.submit(std::move(work));
}

CUresult submit(const StreamCheck& stream, SemaphoreSignals signals) {
    if (stream.is_captured()) return capture(store(), stream.stream, std::move(signals));
    return stream.submit(signals.work(stream->context));
}

CUresult submit(const StreamCheck& stream, SemaphoreWaits waits) {
    if (stream.is_captured()) return capture(store(), stream.stream, std::move(waits));
    return stream.submit(waits.work(stream->context));
}

CUresult submit(const StreamCheck& stream, const RecordOperation& record, unsigned flags) {
    if (stream.is_captured()) return capture_record(store(), stream.stream, record.event, flags);
    if (flags != 0) return CUDA_ERROR_ILLEGAL_STATE;  // only captures can record external events
    return run_record(stream, *record.event);
}

CUresult submit(const StreamCheck& stream, const WaitOperation& wait, unsigned flags) {
    if (stream.is_captured() || wait.event->is_captured()) return capture_wait(store(), stream.stream, wait.event, flags);
    if (flags != 0) return CUDA_ERROR_ILLEGAL_STATE;  // only captures can wait for external events
    const Event::Record record = wait.event->record();
    return record.ticket.is_done() ? CUDA_SUCCESS : stream.submit({}, {record.ticket});
}

CUresult submit_uncaptured(const StreamCheck& stream, WorkQueue::Work work) {
    return stream.is_captured() ? refuse_capture(store(), stream.stream) : stream.submit(std::move(work));
}

// Outside of a capture, the memory is available immediately. If too little is free, waits for the device, since its streams may
// be about to free memory.
CUresult allocate(const StreamCheck& stream, const std::shared_ptr<Pool>& pool, std::size_t bytes, CUdeviceptr& address) {
    if (stream.is_captured()) {
        if (pool->kind != MemoryKind::device) return CUDA_ERROR_NOT_SUPPORTED;
        return capture_allocation(store(), machine().devices, stream.stream, pool->device, bytes, address);
    }
    const auto allocate_now = [&] {
        return pool->file != nullptr ? allocate_shared(machine().memory, pool, bytes)
                                     : allocate(pool->kind, *stream->context, bytes, 0, pool);
    };
    NewMemory memory = allocate_now();
    if (memory.status == CUDA_ERROR_OUT_OF_MEMORY) {
        wait_for_device(pool->device);
        memory = allocate_now();
    }
    if (memory.status == CUDA_SUCCESS) address = memory.allocation->base;
    return memory.status;
}

CUresult free(const StreamCheck& stream, CUdeviceptr address) {
    if (stream.is_captured()) return capture_free(store(), stream.stream, address);
    MemoryMap& memory = machine().memory;
    const auto found = memory.find(address);
    if (found == nullptr || !memory.begin_free(address)) return CUDA_ERROR_INVALID_VALUE;
    const auto remove = [&memory, found] {
        memory.remove(found->base, [&](const Allocation& each) { return &each == found.get(); });
    };
    try {
        const CUresult status = stream.submit(remove);
        if (status != CUDA_SUCCESS) memory.cancel_free(*found);
        return status;
    } catch (...) {
        memory.cancel_free(*found);
        throw;
    }
}

CUresult transfer(CopyOperation copy, CUstream handle, TransferMode mode) {
    const StreamCheck stream(handle);
    if (stream.failed()) return stream.status;
    return copy.extent.is_empty() ? CUDA_SUCCESS : submit(stream, std::move(copy), mode);
}

}  // namespace CUBIND_NAMESPACE::sim
