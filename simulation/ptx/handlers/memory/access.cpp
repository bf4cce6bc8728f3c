// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/memory/access.hpp"

#include <cubind/driver/constants.hpp>

#include <bit>
#include <cstdio>

#include "ptx/run/cluster.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

const char* name_of(AccessSpace space) {
    switch (space) {
        case AccessSpace::global:
            return "global";
        case AccessSpace::shared:
        case AccessSpace::cluster:
            return "shared";
        case AccessSpace::local:
            return "local";
        case AccessSpace::parameters:
            return "parameter";
        default:
            return "generic";
    }
}

const char* name_of(AccessAction action) {
    switch (action) {
        case AccessAction::load:
            return "load";
        case AccessAction::store:
            return "store";
        case AccessAction::update:
            return "atomic operation";
        case AccessAction::discard:
            return "discard";
        default:
            return "applypriority";
    }
}

/// The access of one thread.
struct Access {
    Warp& warp;
    AccessKind kind;
    AccessSpace space;
    unsigned bytes;
    std::uint64_t address;
    unsigned lane;
    const void* instruction;
};

[[noreturn]] void fail(const Access& access, driver::CUresult status, const char* why) {
    char text[160];
    std::snprintf(text, sizeof text, "%s %s of %u bytes at address 0x%llx", name_of(access.space), name_of(access.kind.action),
                  access.bytes, static_cast<unsigned long long>(access.address));
    throw Fault{status, std::string(text) + why, static_cast<int>(access.lane)};
}

std::uintptr_t find_global(const Access& access) {
    const MemoryRange* const range = access.warp.block.memory.find(access.address, access.bytes, access.instruction);
    if (range == nullptr) {
        const std::string why = access.warp.block.grid->request.memory->describe(access.address);
        fail(access, driver::CUDA_ERROR_ILLEGAL_ADDRESS, why.c_str());
    }
    if (access.kind.is_write() && range->is_read_only)
        fail(access, driver::CUDA_ERROR_ILLEGAL_ADDRESS, " writes to memory that is read-only");
    return access.address;
}

// Spaces other than global begin at address 0 and have an end. A generic address is the sum of the window and the address in the
// space.
std::uintptr_t find_in_space(Access& access, const std::byte* memory, std::size_t size,
                             driver::CUresult status = driver::CUDA_ERROR_ILLEGAL_ADDRESS) {
    access.address &= window_mask;
    if (access.address > size || size - access.address < access.bytes) {
        char why[100];
        std::snprintf(why, sizeof why, " is not within the %zu bytes of %s memory", size, name_of(access.space));
        fail(access, status, why);
    }
    return reinterpret_cast<std::uintptr_t>(memory) + access.address;
}

// The statuses are those of an H200.
[[noreturn]] void fail_in_cluster(const Access& access, unsigned rank) {
    Block& block = access.warp.block;
    const unsigned blocks = block.cluster.size();
    driver::CUresult status = driver::CUDA_ERROR_LAUNCH_FAILED;
    std::string why = " is in the shared memory of rank " + std::to_string(rank);
    if (rank >= blocks) {
        why += " of a cluster of " + std::to_string(blocks) + " blocks";
    } else if (block.cluster.block(rank).has_ended()) {
        why += " of the cluster, whose threads have all ended";
    } else {
        status = driver::CUDA_ERROR_ILLEGAL_INSTRUCTION;
        why += " of the cluster, but the state space is that of the own rank " + std::to_string(block.rank);
    }
    fail(access, status, why.c_str());
}

// An address without a register is in the shared memory of the own block. So are all addresses in a launch without clusters.
std::uintptr_t find_shared(Access& access) {
    Block& own = access.warp.block;
    if (access.kind.pointer_bytes == 0 || own.cluster.size() == 1) {
        return find_in_space(access, own.shared_memory(), own.shared_size());
    }
    const std::uint64_t address = access.address & window_mask;
    const bool is_own = (address - own.shared_begin) >> rank_shift == 0;
    Block* const block = is_own ? &own : access.kind.space != AccessSpace::shared ? find_block(own, address) : nullptr;
    if (block == nullptr) fail_in_cluster(access, static_cast<unsigned>(address >> rank_shift));
    access.address = address - shared_address(static_cast<unsigned>(address >> rank_shift));
    return find_in_space(access, block->shared_memory(), block->shared_size(),
                         is_own ? driver::CUDA_ERROR_ILLEGAL_ADDRESS : driver::CUDA_ERROR_LAUNCH_FAILED);
}

std::uintptr_t find(Access& access) {
    if ((access.address & (access.bytes - 1)) != 0) fail(access, driver::CUDA_ERROR_MISALIGNED_ADDRESS, " is misaligned");
    Block& block = access.warp.block;
    switch (access.space) {
        case AccessSpace::shared:
        case AccessSpace::cluster:
            return find_shared(access);
        case AccessSpace::local:
            if (access.kind.action == AccessAction::update)
                fail(access, driver::CUDA_ERROR_INVALID_ADDRESS_SPACE, " is not possible in this state space");
            return find_in_space(access, access.warp.local_memory(access.lane), access.warp.local_size());
        case AccessSpace::parameters: {
            if (access.kind.is_write()) fail(access, driver::CUDA_ERROR_ILLEGAL_ADDRESS, " writes to memory that is read-only");
            const auto parameters = block.grid->request.parameters;
            return find_in_space(access, parameters.data(), parameters.size());
        }
        default:
            return find_global(access);
    }
}

// Without a register, all threads have the same address. Addresses in a register of 32 bits wrap around.
std::uint64_t address_of(const Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t slot, unsigned lane) {
    auto offset = static_cast<std::uint64_t>(instruction->offset);
    if (kind.base == AddressBase::frame) offset += warp.call().local;
    if (kind.pointer_bytes == 8) return warp.from<std::uint64_t>(slot)[lane] + offset;
    if (kind.pointer_bytes == 4) return static_cast<std::uint32_t>(warp.from<std::uint32_t>(slot)[lane] + offset);
    return offset;
}

}  // namespace

Block* find_block(Block& block, std::uint64_t address) noexcept {
    const std::uint64_t rank = (address & window_mask) >> rank_shift;
    if (rank >= block.cluster.size()) return nullptr;
    Block& found = block.cluster.block(static_cast<unsigned>(rank));
    return found.has_ended() ? nullptr : &found;
}

AccessSpace space_of(std::uint64_t address) noexcept {
    switch (window_of(address)) {
        case Window::shared:
            return AccessSpace::shared;
        case Window::local:
            return AccessSpace::local;
        case Window::parameter:
            return AccessSpace::parameters;
        default:
            return AccessSpace::global;
    }
}

AccessKind AccessKind::of(const Choice& choice, AccessAction action) {
    const Modifiers& modifiers = choice.modifiers;
    AccessKind kind{.base = choice.base,
                    .pointer_bytes = choice.pointer_bytes,
                    .vector_length = static_cast<std::uint8_t>(modifiers.vector_length()),
                    .action = action};
    if (modifiers.has(".global") || modifiers.has(".const")) kind.space = AccessSpace::global;
    if (modifiers.has(".shared") || modifiers.has(".shared::cta")) kind.space = AccessSpace::shared;
    if (modifiers.has(".shared::cluster")) kind.space = AccessSpace::cluster;
    if (modifiers.has(".local")) kind.space = AccessSpace::local;
    // The parameters of a kernel have a space of their own. Those of other functions are in local memory.
    const bool is_parameter = modifiers.has(".param") || modifiers.has(".param::entry") || modifiers.has(".param::func");
    if (is_parameter) kind.space = choice.base == AddressBase::parameters ? AccessSpace::parameters : AccessSpace::local;
    if (is_parameter && choice.base == AddressBase::pointer && choice.is_kernel) kind.space = AccessSpace::parameters;
    // An instruction without a state space may name a variable in local memory, or a parameter.
    if (kind.space == AccessSpace::generic && choice.base == AddressBase::frame) kind.space = AccessSpace::local;
    if (kind.space == AccessSpace::generic && choice.base == AddressBase::parameters) kind.space = AccessSpace::parameters;
    return kind;
}

void find_memory(Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t pointer_slot, unsigned bytes,
                 Location& location) {
    location.is_regular = false;
    location.global_lanes = 0;
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t address = address_of(warp, instruction, kind, pointer_slot, lane);
        const AccessSpace space = kind.space == AccessSpace::generic ? space_of(address) : kind.space;
        Access access{warp, kind, space, bytes, address, lane, instruction};
        location.lane[lane] = find(access);
        if (space == AccessSpace::global) location.global_lanes |= std::uint32_t{1} << lane;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
