// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Barriers of a block.
#include <cubind/driver/constants.hpp>

#include <bit>
#include <string>

#include "ptx/handlers/control/control.hpp"
#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// The operands of some of the active threads.
struct Arrival {
    unsigned barrier = 0;
    unsigned expected = 0;
    std::uint32_t lanes = 0;
};

// Threads may name different barriers. Those that name the same one as the first thread arrive; the others run the instruction
// again.
Arrival take_arrival(Warp& warp, const Instruction* instruction, std::uint32_t barrier_slot, std::uint32_t count_slot) {
    const auto first = static_cast<unsigned>(std::countr_zero(warp.mask));
    const std::uint32_t* const barriers = warp.from<std::uint32_t>(barrier_slot);
    const std::uint32_t* const counts = count_slot != no_slot ? warp.from<std::uint32_t>(count_slot) : nullptr;
    Arrival arrival{barriers[first], counts != nullptr ? counts[first] : 0, 0};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const bool is_same = barriers[lane] == arrival.barrier && (counts == nullptr || counts[lane] == arrival.expected);
        arrival.lanes |= std::uint32_t{is_same} << lane & warp.mask;
    }
    if (arrival.barrier >= Block::barrier_count) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "barrier " + std::to_string(arrival.barrier) + " does not exist; a block has barriers 0 to 15",
                    static_cast<int>(first)};
    }
    if (arrival.expected % warp_size != 0) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "barrier " + std::to_string(arrival.barrier) + " for " + std::to_string(arrival.expected) +
                        " threads; the number must be a multiple of 32",
                    static_cast<int>(first)};
    }
    if (arrival.lanes != warp.mask) {
        const std::uint32_t lanes = arrival.lanes;
        warp.leave(warp.mask & ~lanes, instruction);
    }
    return arrival;
}

const Instruction* wait(Warp& warp, const Instruction* instruction, const Arrival& arrival, std::uint32_t predicate) {
    warp.wait_at_barrier(arrival.barrier, instruction + 1);
    warp.block.arrive(arrival.barrier, warp, arrival.lanes, arrival.expected, predicate);
    return nullptr;
}

const Instruction* synchronize(Warp& warp, const Instruction* instruction) {
    const Arrival arrival = take_arrival(warp, instruction, instruction->slots[0], instruction->slots[1]);
    return wait(warp, instruction, arrival, 0);
}

const Instruction* reduce(Warp& warp, const Instruction* instruction) {
    const bool has_count = instruction->slots[3] != no_slot;
    const std::uint32_t predicate = warp.predicate(instruction->slots[has_count ? 3 : 2]);
    const Arrival arrival = take_arrival(warp, instruction, instruction->slots[1], has_count ? instruction->slots[2] : no_slot);
    return wait(warp, instruction, arrival, predicate);
}

const Instruction* arrive(Warp& warp, const Instruction* instruction) {
    const Arrival arrival = take_arrival(warp, instruction, instruction->slots[0], instruction->slots[1]);
    if (arrival.expected == 0) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "an arrival at barrier " + std::to_string(arrival.barrier) + " without a number of threads", -1};
    }
    warp.block.arrive(arrival.barrier, warp, arrival.lanes, arrival.expected);
    return instruction + 1;
}

template <Handler handler>
Handler select(Choice&) {
    return handler;
}

Handler select_reduction(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    choice.extra = modifiers.has(".popc")  ? BarrierResult::count
                   : modifiers.has(".and") ? BarrierResult::all
                                           : BarrierResult::any;
    return reduce;
}

// bar.cta is a later name of bar. A reduction writes its result when the last thread arrives.
constexpr Form forms[] = {
    {"bar", ".sync", "b32", select<synchronize>, Flow::converged},
    {"bar", ".sync", "b32 b32", select<synchronize>, Flow::converged, 1000, 20},
    {"bar", ".cta .sync", "b32", select<synchronize>, Flow::converged, 7080, 30},
    {"bar", ".cta .sync", "b32 b32", select<synchronize>, Flow::converged, 7080, 30},
    {"bar", ".arrive", "b32 b32", select<arrive>, Flow::converged, 1000, 20},
    {"bar", ".cta .arrive", "b32 b32", select<arrive>, Flow::converged, 7080, 30},
    {"bar", ".red .popc .u32", "=b32 b32 p", select_reduction, Flow::converged, 1000, 20},
    {"bar", ".red .popc .u32", "=b32 b32 b32 p", select_reduction, Flow::converged, 1000, 20},
    {"bar", ".red .and|.or .pred", "=p b32 p", select_reduction, Flow::converged, 1000, 20},
    {"bar", ".red .and|.or .pred", "=p b32 b32 p", select_reduction, Flow::converged, 1000, 20},
    {"bar", ".cta .red .popc .u32", "=b32 b32 p", select_reduction, Flow::converged, 7080, 30},
    {"bar", ".cta .red .popc .u32", "=b32 b32 b32 p", select_reduction, Flow::converged, 7080, 30},
    {"bar", ".cta .red .and|.or .pred", "=p b32 p", select_reduction, Flow::converged, 7080, 30},
    {"bar", ".cta .red .and|.or .pred", "=p b32 b32 p", select_reduction, Flow::converged, 7080, 30},
    {"barrier", ".sync [.aligned]", "b32", select<synchronize>, Flow::converged, 6000, 30},
    {"barrier", ".sync [.aligned]", "b32 b32", select<synchronize>, Flow::converged, 6000, 30},
    {"barrier", ".cta .sync [.aligned]", "b32", select<synchronize>, Flow::converged, 7080, 30},
    {"barrier", ".cta .sync [.aligned]", "b32 b32", select<synchronize>, Flow::converged, 7080, 30},
    {"barrier", ".arrive [.aligned]", "b32 b32", select<arrive>, Flow::converged, 6000, 30},
    {"barrier", ".cta .arrive [.aligned]", "b32 b32", select<arrive>, Flow::converged, 7080, 30},
    {"barrier", ".red .popc [.aligned] .u32", "=b32 b32 p", select_reduction, Flow::converged, 6000, 30},
    {"barrier", ".red .popc [.aligned] .u32", "=b32 b32 b32 p", select_reduction, Flow::converged, 6000, 30},
    {"barrier", ".red .and|.or [.aligned] .pred", "=p b32 p", select_reduction, Flow::converged, 6000, 30},
    {"barrier", ".red .and|.or [.aligned] .pred", "=p b32 b32 p", select_reduction, Flow::converged, 6000, 30},
    {"barrier", ".cta .red .popc [.aligned] .u32", "=b32 b32 p", select_reduction, Flow::converged, 7080, 30},
    {"barrier", ".cta .red .popc [.aligned] .u32", "=b32 b32 b32 p", select_reduction, Flow::converged, 7080, 30},
    {"barrier", ".cta .red .and|.or [.aligned] .pred", "=p b32 p", select_reduction, Flow::converged, 7080, 30},
    {"barrier", ".cta .red .and|.or [.aligned] .pred", "=p b32 b32 p", select_reduction, Flow::converged, 7080, 30},
};

}  // namespace

Forms barrier_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
