// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/control.hpp"

#include <cubind/driver/constants.hpp>

#include <bit>
#include <string>

#include "ptx/handlers/common.hpp"
#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

const Instruction* end_threads(Warp& warp, const Instruction*) {
    return warp.end_threads();
}

const Instruction* trap(Warp&, const Instruction*) {
    throw Fault{driver::CUDA_ERROR_LAUNCH_FAILED, "trap", -1};
}

// The operands of a barrier may differ between threads only by mistake; those of the first active thread count.
unsigned first(const Warp& warp, std::uint32_t slot) {
    return warp.from<std::uint32_t>(slot)[std::countr_zero(warp.mask)];
}

unsigned barrier_of(const Warp& warp, const Instruction* instruction) {
    const unsigned barrier = first(warp, instruction->slots[0]);
    if (barrier >= Block::barrier_count) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION, "barrier " + std::to_string(barrier) + " is not below 16", -1};
    }
    return barrier;
}

const Instruction* synchronize(Warp& warp, const Instruction* instruction) {
    const unsigned barrier = barrier_of(warp, instruction);
    const unsigned expected = instruction->slots[1] != no_slot ? first(warp, instruction->slots[1]) : 0;
    const auto threads = static_cast<unsigned>(std::popcount(warp.mask));
    warp.wait_at_barrier(barrier, instruction + 1);
    warp.block.arrive(barrier, threads, expected);
    return nullptr;
}

const Instruction* arrive(Warp& warp, const Instruction* instruction) {
    const unsigned expected = first(warp, instruction->slots[1]);
    warp.block.arrive(barrier_of(warp, instruction), static_cast<unsigned>(std::popcount(warp.mask)), expected);
    return instruction + 1;
}

const Instruction* branch_to_index(Warp& warp, const Instruction* instruction) {
    const auto& targets = *static_cast<const std::vector<const Instruction*>*>(instruction->data);
    const std::uint32_t* const indices = warp.from<std::uint32_t>(instruction->slots[0]);
    const std::uint32_t index = indices[std::countr_zero(warp.mask)];
    if (index >= targets.size()) throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION, "the index of a branch is too large", -1};
    std::uint32_t same = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) same |= std::uint32_t{indices[lane] == index} << lane;
    same &= warp.mask;
    if (same != warp.mask) warp.leave(warp.mask & ~same, instruction);
    return targets[index];
}

template <Handler handler>
Handler select(Choice&) {
    return handler;
}

Handler select_call(Choice& choice) {
    return choice.slots == 0 ? call_function : call_pointer;
}

constexpr Form forms[] = {
    {"bra", "[.uni]", "l", select<jump>, Flow::jump},
    {"brx", ".idx [.uni]", "b32 T", select<branch_to_index>, Flow::indexed, 6000, 30},
    {"call", "[.uni]", "f", select_call, Flow::call},
    {"call", "[.uni]", "f f", select_call, Flow::call},
    {"call", "[.uni]", "f f f", select_call, Flow::call},
    {"call", "[.uni]", "f f f f", select_call, Flow::call},
    {"ret", "[.uni]", "", select<return_from_call>, Flow::end},
    {"exit", "", "", select<end_threads>, Flow::end},
    {"trap", "", "", select<trap>},
    {"bar", "[.cta] .sync", "b32", select<synchronize>, Flow::converged},
    {"bar", "[.cta] .sync", "b32 b32", select<synchronize>, Flow::converged},
    {"bar", "[.cta] .arrive", "b32 b32", select<arrive>, Flow::converged},
    {"barrier", "[.cta] .sync [.aligned]", "b32", select<synchronize>, Flow::converged, 6000, 30},
    {"barrier", "[.cta] .sync [.aligned]", "b32 b32", select<synchronize>, Flow::converged, 6000, 30},
    {"barrier", "[.cta] .arrive [.aligned]", "b32 b32", select<arrive>, Flow::converged, 6000, 30},
};

}  // namespace

Forms control_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
