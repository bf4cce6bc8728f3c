// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/allocate.hpp"

#include "objects/memory/address_space.hpp"
#include "objects/memory/advice.hpp"
#include "objects/memory/memory_map.hpp"
#include "objects/pool/pool.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

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
    allocation->context_id = pool == nullptr ? context.id : 0;
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
    if (memory.status == CUDA_SUCCESS) context.memory.add(memory.allocation);
    return memory;
}

NewMemory allocate_hidden(Context& context, std::size_t bytes) {
    return make(MemoryKind::device, context, bytes, 0, nullptr);
}

}  // namespace CUBIND_NAMESPACE::sim
