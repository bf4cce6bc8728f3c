// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Local memory that a function allocates when it runs.
#include "ptx/handlers/memory/stack.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <bit>
#include <string>

#include "ptx/run/memory.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::uint64_t default_alignment = 8;

template <class Value>
std::uint64_t greatest(const Warp& warp, std::uint32_t slot) {
    const Value* const values = warp.from<Value>(slot);
    std::uint64_t result = 0;
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        result = std::max<std::uint64_t>(result, values[std::countr_zero(rest)]);
    }
    return result;
}

template <class Value>
const Instruction* write(Warp& warp, const Instruction* instruction, std::uint64_t value) {
    if (instruction->slots[0] == no_slot) return instruction + 1;
    Value* const to = warp.to<Value>(instruction->slots[0]);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) to[std::countr_zero(rest)] = static_cast<Value>(value);
    return instruction + 1;
}

// All threads of a call get the same address, and as many bytes as the thread that asks for most.
template <class Value>
const Instruction* allocate(Warp& warp, const Instruction* instruction) {
    std::uint64_t alignment = default_alignment;
    if (instruction->slots[2] != no_slot)
        alignment = std::max<std::uint64_t>(alignment, greatest<std::uint32_t>(warp, instruction->slots[2]));
    if (!std::has_single_bit(alignment))
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION, "the alignment of alloca is no power of two", -1};
    const std::uint64_t bytes = greatest<Value>(warp, instruction->slots[1]);
    const std::uint64_t size = warp.local_size();
    const std::uint64_t begin = (warp.call().local_end + alignment - 1) / alignment * alignment;
    if (begin > size || bytes > size - begin) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS,
                    "alloca of " + std::to_string(bytes) + " bytes exceeds the stack of " + std::to_string(size) + " bytes", -1};
    }
    warp.call().local_end = begin + bytes;
    return write<Value>(warp, instruction, begin);
}

template <class Value>
const Instruction* save(Warp& warp, const Instruction* instruction) {
    return write<Value>(warp, instruction, warp.call().local_end);
}

// Threads of the call that run elsewhere may have allocated more memory, which they still use.
template <class Value>
const Instruction* restore(Warp& warp, const Instruction* instruction) {
    Call& call = warp.call();
    const std::uint64_t end = greatest<Value>(warp, instruction->slots[0]);
    const std::uint64_t least = call.local + call.program->local_bytes;
    if (end < least || end > warp.local_size())
        throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS, "stackrestore of an address that is not within the stack", -1};
    if (call.users == 1) call.local_end = std::min<std::uint64_t>(call.local_end, end);
    return instruction + 1;
}

template <Handler for_32, Handler for_64>
Handler select(Choice& choice) {
    choice.uses_stack = true;
    return bytes_of_type(choice.modifiers.type()) == 4 ? for_32 : for_64;
}

constexpr Select select_allocate = select<allocate<std::uint32_t>, allocate<std::uint64_t>>;
constexpr Select select_save = select<save<std::uint32_t>, save<std::uint64_t>>;
constexpr Select select_restore = select<restore<std::uint32_t>, restore<std::uint64_t>>;

constexpr Form forms[] = {
    {"alloca", ".u32|.u64", "=t t", select_allocate, Flow::none, 7030, 52},
    {"alloca", ".u32|.u64", "=t t b32", select_allocate, Flow::none, 7030, 52},
    {"stacksave", ".u32|.u64", "=t", select_save, Flow::none, 7030, 52},
    {"stackrestore", ".u32|.u64", "t", select_restore, Flow::none, 7030, 52},
};

}  // namespace

Forms stack_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
