// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/allocate.hpp"

#include "capture/unsafe_call.hpp"
#include "machine/check.hpp"
#include "memory/address_space.hpp"
#include "memory/advice.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

NewMemory make(MemoryKind kind, Context& context, std::size_t bytes, unsigned flags, const std::shared_ptr<Pool>& pool) {
    auto allocation = std::make_shared<Allocation>();
    Device& device = pool != nullptr ? pool->device : context.device;
    if (kind == MemoryKind::device || pool != nullptr) {
        if (bytes > device.memory) return {CUDA_ERROR_OUT_OF_MEMORY, nullptr};
        const std::size_t rounded = (bytes + device_granularity - 1) / device_granularity * device_granularity;
        const std::size_t charged = pool != nullptr ? bytes : rounded;  // a pool counts the requested bytes
        if (!(pool != nullptr ? pool->allocate(charged) : device.charge(charged))) return {CUDA_ERROR_OUT_OF_MEMORY, nullptr};
        allocation->charged = charged;
        allocation->pool = pool;
    }
    allocation->kind = kind;
    if (kind == MemoryKind::managed) allocation->advice = std::make_shared<AdviceMap>();
    allocation->device = &device;
    allocation->context = pool == nullptr ? context.handle : nullptr;
    allocation->flags = flags;
    allocation->id = new_handle_value() / 16;
    allocation->size = bytes;
    allocation->base = AddressSpace::instance().allocate(bytes);
    if (allocation->base == 0) return {CUDA_ERROR_OUT_OF_MEMORY, nullptr};
    return {CUDA_SUCCESS, std::move(allocation)};
}

}  // namespace

NewMemory allocate(MemoryKind kind, Context& context, std::size_t bytes, unsigned flags, const std::shared_ptr<Pool>& pool) {
    NewMemory memory = make(kind, context, bytes, flags, pool);
    if (memory.status == CUDA_SUCCESS) machine().memory.add(memory.allocation);
    return memory;
}

NewMemory allocate_hidden(Context& context, std::size_t bytes) {
    return make(MemoryKind::device, context, bytes, 0, nullptr);
}

CUresult free_memory(std::uintptr_t address, bool (*is_freeable)(const Allocation&), CUresult missing_status) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    CUresult fault = CUDA_SUCCESS;
    const auto freed = machine().memory.remove(address, [&](const Allocation& each) {
        fault = each.device->fault();
        return fault == CUDA_SUCCESS && is_freeable(each);
    });
    if (freed == nullptr) {
        const Context* const current = current_context();
        if (current != nullptr && !current->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
        return fault != CUDA_SUCCESS ? fault : missing_status;
    }
    wait_for_device(*freed->device);  // no lookup finds the memory any longer; it is freed when `freed` goes out of scope
    return CUDA_SUCCESS;
}

void wait_for_device(const Device& device) {
    const auto is_busy = [&](const Context& context) { return &context.device == &device && !context.order.is_idle(); };
    if (machine().contexts.find_if(is_busy) == nullptr) return;
    for (const auto& context : machine().contexts.all()) {
        if (is_busy(*context)) context->order.wait();
    }
}

}  // namespace CUBIND_NAMESPACE::sim
