// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/virtual_memory.hpp"

#include <algorithm>
#include <new>

#include "objects/memory/address_space.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

bool is_granular(std::size_t value) noexcept {
    return value % physical_granularity == 0;
}

}  // namespace

VirtualMemory::~VirtualMemory() {
    for (const auto& [address, mapping] : mappings_) PhysicalStore::unmap(address, mapping->size);
    for (const auto& [address, range] : reservations_) AddressSpace::instance().free(range.allocated_base, range.allocated_bytes);
}

std::uintptr_t VirtualMemory::reserve(std::size_t bytes, std::size_t alignment) {
    std::size_t allocated_bytes = 0;
    if (__builtin_add_overflow(bytes, alignment, &allocated_bytes)) return 0;
    const std::uintptr_t allocated_base = AddressSpace::instance().allocate(allocated_bytes);
    if (allocated_base == 0) return 0;
    const std::uintptr_t address = (allocated_base + alignment - 1) / alignment * alignment;
    const std::lock_guard lock(mutex_);
    try {
        reservations_.emplace(address, Reservation{bytes, allocated_base, allocated_bytes});
    } catch (const std::bad_alloc&) {
        AddressSpace::instance().free(allocated_base, allocated_bytes);
        throw;
    }
    return address;
}

CUresult VirtualMemory::free(std::uintptr_t address, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = reservations_.find(address);
    if (found == reservations_.end() || found->second.size != bytes) return CUDA_ERROR_INVALID_VALUE;
    const auto mapped = mappings_.lower_bound(address);
    if (mapped != mappings_.end() && mapped->first - address < bytes) return CUDA_ERROR_INVALID_VALUE;
    AddressSpace::instance().free(found->second.allocated_base, found->second.allocated_bytes);
    reservations_.erase(found);
    return CUDA_SUCCESS;
}

CUresult VirtualMemory::map(std::uintptr_t address, std::size_t bytes, std::size_t offset,
                            const std::shared_ptr<PhysicalMemory>& memory) {
    if (bytes == 0 || !is_granular(address) || memory->is_tile_pool()) return CUDA_ERROR_INVALID_VALUE;
    // As in the driver, only a whole allocation can be mapped.
    if (bytes != memory->size || offset != 0) return CUDA_ERROR_NOT_SUPPORTED;
    const std::lock_guard lock(mutex_);
    auto reserved = reservations_.upper_bound(address);
    if (reserved == reservations_.begin()) return CUDA_ERROR_INVALID_VALUE;
    --reserved;
    const std::size_t into = address - reserved->first;
    if (bytes > reserved->second.size || into > reserved->second.size - bytes) return CUDA_ERROR_INVALID_VALUE;
    auto allocation = std::make_shared<Allocation>();
    allocation->kind = MemoryKind::mapped;
    allocation->base = address;
    allocation->size = bytes;
    allocation->device = memory->device != nullptr ? memory->device : devices_.front().get();
    allocation->id = new_handle_value() / 16;
    allocation->mapping = std::make_unique<Mapping>(memory, devices_.size());
    const auto [entry, is_new] = mappings_.emplace(address, allocation);
    if (!is_new) return CUDA_ERROR_INVALID_VALUE;
    const CUresult status = add(allocation, *memory);
    if (status != CUDA_SUCCESS) mappings_.erase(entry);
    return status;
}

CUresult VirtualMemory::add(const std::shared_ptr<Allocation>& allocation, const PhysicalMemory& memory) noexcept {
    try {
        if (!memory_.add(allocation)) return CUDA_ERROR_INVALID_VALUE;
    } catch (const std::bad_alloc&) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (memory.map(allocation->base)) return CUDA_SUCCESS;
    memory_.remove(allocation->base, [](const Allocation&) { return true; });
    return CUDA_ERROR_OUT_OF_MEMORY;
}

std::vector<VirtualMemory::Mappings::iterator> VirtualMemory::mappings_in(std::uintptr_t address, std::size_t bytes) {
    std::vector<Mappings::iterator> found;
    std::size_t covered = 0;
    for (auto next = mappings_.find(address); covered < bytes; ++next) {
        if (next == mappings_.end() || next->first != address + covered || next->second->size > bytes - covered) return {};
        covered += next->second->size;
        found.push_back(next);
    }
    return found;
}

CUresult VirtualMemory::unmap(std::uintptr_t address, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    // Unmapping a reserved range without mappings is no error.
    const auto reserved = reservations_.upper_bound(address);
    const auto next = mappings_.lower_bound(address);
    const auto found = mappings_in(address, bytes);
    if (found.empty()) {
        const bool is_within = next != mappings_.end() && next->first - address < bytes;
        const bool is_across = next != mappings_.begin() && address - std::prev(next)->first < std::prev(next)->second->size;
        const bool is_reserved =
            reserved != reservations_.begin() && address - std::prev(reserved)->first < std::prev(reserved)->second.size;
        return is_reserved && !is_within && !is_across ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    for (const auto& mapping : found) {
        memory_.remove(mapping->first, [](const Allocation&) { return true; });
        PhysicalStore::unmap(mapping->first, mapping->second->size);
        mappings_.erase(mapping);
    }
    return CUDA_SUCCESS;
}

CUresult VirtualMemory::set_access(std::uintptr_t address, std::size_t bytes, const CUmemAccessDesc* descriptors,
                                   std::size_t count) {
    const auto device_of = [this](const CUmemAccessDesc& each) {
        return each.location.type == CU_MEM_LOCATION_TYPE_DEVICE ? find_device(devices_, each.location.id) : nullptr;
    };
    const auto is_valid = [&](const CUmemAccessDesc& each) {
        const bool has_valid_flags = each.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || each.flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                                     each.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        return has_valid_flags && (is_host_location(each.location) || device_of(each) != nullptr);
    };
    if (descriptors == nullptr || count == 0 || !std::all_of(descriptors, descriptors + count, is_valid)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const std::lock_guard lock(mutex_);
    const auto found = mappings_in(address, bytes);
    if (found.empty()) return CUDA_ERROR_INVALID_VALUE;
    // The host can access only its own memory.
    const auto is_possible = [&](const Mappings::iterator& each) {
        return each->second->mapping->memory->device == nullptr ||
               std::none_of(descriptors, descriptors + count,
                            [](const auto& access) { return is_host_location(access.location); });
    };
    if (!std::all_of(found.begin(), found.end(), is_possible)) return CUDA_ERROR_INVALID_VALUE;
    for (const auto& each : found) {
        Mapping& mapping = *each->second->mapping;
        for (std::size_t i = 0; i < count; ++i) {
            if (const Device* const device = device_of(descriptors[i])) {
                mapping.set_access(*device, descriptors[i].flags);
            } else {
                mapping.set_host_access(descriptors[i].flags);
            }
        }
    }
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
