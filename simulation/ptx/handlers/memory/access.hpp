// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"
#include "ptx/run/memory.hpp"
#include "ptx/run/warp.hpp"

/// How instructions find the memory of their addresses.
namespace CUBIND_NAMESPACE::sim::ptx {

class Block;

/// The state space of an access. `cluster` is the shared memory of all blocks of the cluster.
enum class AccessSpace : std::uint8_t { generic, global, shared, local, parameters, cluster };

/// What an instruction does with memory.
enum class AccessAction : std::uint8_t { load, store, update, discard, prioritize };

/// The contents of Instruction::extra for an access to memory.
struct AccessKind {
    AccessSpace space = AccessSpace::generic;
    AddressBase base = AddressBase::pointer;
    std::uint8_t pointer_bytes = 0;  ///< of the register of the address; 0 if it has none
    std::uint8_t vector_length = 1;
    AccessAction action = AccessAction::load;

    bool is_write() const noexcept { return action != AccessAction::load && action != AccessAction::prioritize; }

    std::uint32_t pack() const noexcept {
        return static_cast<std::uint32_t>(space) | static_cast<std::uint32_t>(base) << 4 | std::uint32_t{pointer_bytes} << 8 |
               std::uint32_t{vector_length} << 16 | static_cast<std::uint32_t>(action) << 24;
    }
    static AccessKind unpack(std::uint32_t extra) noexcept {
        return {static_cast<AccessSpace>(extra & 15), static_cast<AddressBase>(extra >> 4 & 15),
                static_cast<std::uint8_t>(extra >> 8), static_cast<std::uint8_t>(extra >> 16),
                static_cast<AccessAction>(extra >> 24)};
    }
    static AccessKind of(const Choice& choice, AccessAction action);
};

/// The memory of the host that each active thread accesses.
struct Location {
    /// Whether the memory of each thread begins `stride` bytes after the memory of the previous thread. Otherwise `lane` has the
    /// addresses.
    bool is_regular;
    std::uint32_t global_lanes;  ///< active threads whose memory is global; others access memory of the block
    std::uintptr_t begin;        ///< of thread 0, also if it is not active
    std::uintptr_t stride;
    alignas(64) std::uintptr_t lane[warp_size];

    std::uintptr_t of(unsigned index) const noexcept { return is_regular ? begin + index * stride : lane[index]; }
};

/// Finds the memory for an access of `bytes` by each active thread, one thread after the other. `pointer_slot` is the slot of the
/// address's register. Throws a Fault if an address is not aligned to `bytes`, or the bytes are not within one allocation.
/// Handlers call locate(), which is fast and calls this function where an access may fail.
void find_memory(Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t pointer_slot, unsigned bytes,
                 Location& location);

/// Returns the block of the cluster whose shared memory contains an address, also a generic one. Returns null if there is none,
/// or if its threads have all ended.
Block* find_block(Block& block, std::uint64_t address) noexcept;

/// Returns the state space of a generic address; global for addresses of no window.
AccessSpace space_of(std::uint64_t address) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
