// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/code/form.hpp"
#include "ptx/run/memory.hpp"
#include "ptx/run/warp.hpp"

/// How instructions find the memory of their addresses.
namespace CUBIND_NAMESPACE::sim::ptx {

/// The state space of an access.
enum class AccessSpace : std::uint8_t { generic, global, shared, local, parameters };

/// What Instruction::extra says of an access, and its size.
struct AccessKind {
    AccessSpace space = AccessSpace::generic;
    AddressBase base = AddressBase::pointer;
    std::uint8_t pointer_bytes = 0;
    std::uint8_t vector_length = 1;
    bool is_write = false;

    std::uint32_t pack() const noexcept {
        return static_cast<std::uint32_t>(space) | static_cast<std::uint32_t>(base) << 4 | std::uint32_t{pointer_bytes} << 8 |
               std::uint32_t{vector_length} << 16 | std::uint32_t{is_write} << 24;
    }
    static AccessKind unpack(std::uint32_t extra) noexcept {
        return {static_cast<AccessSpace>(extra & 15), static_cast<AddressBase>(extra >> 4 & 15),
                static_cast<std::uint8_t>(extra >> 8), static_cast<std::uint8_t>(extra >> 16), (extra >> 24 & 1) != 0};
    }
    static AccessKind of(const Choice& choice, bool is_write);
};

/// The memory of the host that each active thread accesses.
struct LanePointers {
    alignas(64) std::byte* lane[warp_size];
};

/// Finds the memory for an access of `bytes` by each active thread. `pointer_slot` is the slot of the address's register. Throws
/// a Fault if an address is not aligned to `bytes`, or the bytes are not within one allocation.
void find_memory(Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t pointer_slot, unsigned bytes,
                 LanePointers& pointers);

}  // namespace CUBIND_NAMESPACE::sim::ptx
