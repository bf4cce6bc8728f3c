// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/graph_memory.hpp"

#include <utility>

#include "objects/memory/address_space.hpp"
#include "objects/memory/advice.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

/// Addresses, which are freed when neither a node nor memory uses them any longer.
struct GraphMemory::Addresses {
    Addresses(std::uintptr_t address, std::size_t bytes) : base(address), size(bytes) {}
    ~Addresses() { AddressSpace::instance().free(base, size); }
    Addresses(const Addresses&) = delete;
    Addresses& operator=(const Addresses&) = delete;

    const std::uintptr_t base;
    const std::size_t size;
};

/// Bytes of the device, shared by all launches in progress.
struct GraphMemory::Charge {
    explicit Charge(std::shared_ptr<Addresses> own_addresses) : addresses(std::move(own_addresses)) {}
    ~Charge() {
        if (pool != nullptr) pool->free(addresses->size);
    }
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

    const std::shared_ptr<Addresses> addresses;
    std::shared_ptr<Pool> pool;  ///< null for managed memory
};

GraphMemory::GraphMemory(Device& own_device, std::size_t bytes, MemoryKind own_kind, std::uintptr_t address)
    : device(own_device), size(bytes), kind(own_kind), base(address), addresses_(std::make_shared<Addresses>(address, bytes)) {}

std::shared_ptr<GraphMemory> GraphMemory::make(Device& own_device, std::size_t bytes, MemoryKind own_kind) {
    const std::uintptr_t address = bytes <= own_device.memory ? AddressSpace::instance().allocate(bytes) : 0;
    return address != 0 ? std::make_shared<GraphMemory>(own_device, bytes, own_kind, address) : nullptr;
}

CUresult GraphMemory::allocate(MemoryMap& memory, std::vector<CUdevice> users, std::shared_ptr<Allocation>& allocation) {
    // Memory that a stream is about to free is available to the launches that follow.
    memory.remove(base, [](const Allocation& each) { return each.is_being_freed; });
    if (memory.find(base) != nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::shared_ptr<Charge> charge = charge_.lock();
    if (charge == nullptr) {
        charge = std::make_shared<Charge>(addresses_);
        if (kind == MemoryKind::device) {
            if (!device.graph_pool->allocate(size)) return CUDA_ERROR_OUT_OF_MEMORY;
            charge->pool = device.graph_pool;
        }
        charge_ = charge;
    }
    allocation = std::make_shared<Allocation>();
    allocation->address_owner = std::move(charge);
    allocation->base = base;
    allocation->size = size;
    allocation->kind = kind;
    if (kind == MemoryKind::managed) allocation->advice = std::make_shared<AdviceMap>();
    allocation->device = &device;
    allocation->users = std::move(users);
    allocation->id = new_handle_value() / 16;
    return memory.add(allocation) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void GraphMemory::free(MemoryMap& memory) const {
    memory.remove(base, [](const Allocation&) { return true; });
}

void GraphMemories::add(const std::shared_ptr<GraphMemory>& memory) {
    std::erase_if(memories_, [](const auto& entry) { return entry.second.expired(); });
    memories_.insert_or_assign(memory->base, memory);
}

std::shared_ptr<GraphMemory> GraphMemories::find(CUdeviceptr address) const {
    const auto found = memories_.find(address);
    return found != memories_.end() ? found->second.lock() : nullptr;
}

bool GraphMemories::contains(std::uintptr_t address, std::size_t bytes) const {
    const auto after = memories_.upper_bound(address);
    if (after == memories_.begin()) return false;
    const auto memory = std::prev(after)->second.lock();
    return memory != nullptr && memory->contains(address, bytes);
}

}  // namespace CUBIND_NAMESPACE::sim
