// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/handlers/lanes.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// Compute for functions that compilers do not vectorize under a mask. All threads compute them, and active ones store the
/// results.
template <auto Function>
struct ComputeLong;

template <class Result, class... Source, Result (*Function)(Source...)>
struct ComputeLong<Function> {
    static const Instruction* run(Warp& warp, const Instruction* instruction) {
        return run(warp, instruction, std::index_sequence_for<Source...>{});
    }

private:
    template <std::size_t... Index>
    static const Instruction* run(Warp& warp, const Instruction* instruction, std::index_sequence<Index...>) {
        alignas(64) Result results[warp_size];
        Result* const to = warp.to<Result>(instruction->slots[0]);
        compute(warp.is_full() ? to : results, warp.from<Source>(instruction->slots[Index + 1])...);
        if (warp.is_full()) return instruction + 1;
        const std::uint32_t mask = warp.mask;
        CUBIND_FOR_LANES(lane) to[lane] = (mask & lane_bits[lane]) != 0 ? results[lane] : to[lane];
        return instruction + 1;
    }
    static void compute(Result* results, const Source*... from) {
        CUBIND_FOR_LANES(lane) results[lane] = Function(from[lane]...);
    }
};

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
