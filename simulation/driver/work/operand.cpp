// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/operand.hpp"

#include "objects/memory/address_space.hpp"
#include "objects/pool/pool.hpp"
#include "objects/virtual/mapping.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

bool is_mapped(const MemoryMap& memory, std::uintptr_t address, std::size_t bytes, const Access& access) {
    for (std::size_t covered = 0; covered < bytes;) {
        const auto next = memory.find(address + covered);
        if (next == nullptr || next->mapping == nullptr) return false;
        const Mapping& mapping = *next->mapping;
        if (!(access.device != nullptr ? mapping.allows(*access.device, access.writes)
                                       : mapping.allows_some_device(access.writes)))
            return false;
        covered = next->base + next->size - address;
    }
    return true;
}

bool is_out_of_reach(const Allocation& allocation, const Device& device) {
    return allocation.pool != nullptr && !allocation.pool->allows(device);
}

}  // namespace

ActivityMemory activity_memory(const Operand& operand) noexcept {
    if (operand.tiled != nullptr) return ActivityMemory::device;
    if (operand.allocation == nullptr) return ActivityMemory::pageable;
    switch (operand.allocation->kind) {
        case MemoryKind::managed:
            return ActivityMemory::managed;
        case MemoryKind::host:
        case MemoryKind::registered:
            return ActivityMemory::pinned;
        default:
            return ActivityMemory::device;
    }
}

bool is_out_of_reach(const MemoryMap& memory, std::uintptr_t address, const Device& device) {
    const auto found = memory.find(address);
    return found != nullptr && is_out_of_reach(*found, device);
}

CUresult find_operand(const MemoryMap& memory, Side side, std::uintptr_t address, std::size_t bytes, const Access& access,
                      Operand& operand) {
    operand.data = reinterpret_cast<std::byte*>(address);
    operand.allocation = memory.find(address);
    if (operand.allocation == nullptr) {
        const bool is_trusted = side != Side::device && address != 0 && !AddressSpace::instance().contains(address);
        return is_trusted ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (operand.allocation->mapping != nullptr) {
        return is_mapped(memory, address, bytes, access) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (access.writes && operand.allocation->is_read_only) return CUDA_ERROR_INVALID_VALUE;
    if (access.device != nullptr && is_out_of_reach(*operand.allocation, *access.device)) return CUDA_ERROR_INVALID_VALUE;
    return operand.allocation->contains(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace CUBIND_NAMESPACE::sim
