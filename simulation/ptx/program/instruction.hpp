// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::sim::ptx {

class Warp;
struct Instruction;
struct Program;

/// Runs an instruction for the threads of a warp that are active, and returns the instruction that follows. Returns null if
/// the warp has to be scheduled again.
using Handler = const Instruction* (*)(Warp& warp, const Instruction* instruction);

constexpr unsigned warp_size = 32;
constexpr unsigned max_slots = 8;      // of an Instruction
constexpr unsigned max_operands = 20;  // of an instruction of the text

/// The mark of slots in the constants of a function. Other slots are in the frame of the call.
constexpr std::uint32_t constant_slot = std::uint32_t{1} << 31;
/// A destination that does not exist.
constexpr std::uint32_t no_slot = ~std::uint32_t{0};

/// A decoded instruction. A slot is the offset, in bytes, of a register: 32 values, one for each thread of a warp. The slot of a
/// predicate has 32 bits, one for each thread. Values of 8 and 16 bits have slots of 16 bits. The slots of operands beyond
/// max_slots are in the instructions that follow, which do nothing when they run.
struct alignas(64) Instruction {
    Handler run = nullptr;
    std::uint32_t slots[max_slots] = {};  ///< operands in the order of the text
    union {
        std::int64_t offset = 0;    ///< of an address
        const Instruction* target;  ///< of a branch
        const void* data;           ///< for handlers with more operands
    };
    Handler guarded = nullptr;      ///< handler of an instruction with a guard, which `run` calls for some of the threads
    std::uint32_t guard = no_slot;  ///< slot of the guard's predicate
    std::uint32_t extra = 0;        ///< for the handler
};

static_assert(sizeof(Instruction) == 64);

/// Returns the slot of an operand with any index.
inline std::uint32_t slot_of(const Instruction* instruction, unsigned operand) noexcept {
    return instruction[operand / max_slots].slots[operand % max_slots];
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
