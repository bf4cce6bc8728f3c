// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The barrier of a cluster, and addresses of the shared memory of its blocks.
#include "ptx/handlers/control/cluster.hpp"

#include <cubind/driver/constants.hpp>

#include "ptx/run/block.hpp"
#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// One thread of the host runs all blocks of a cluster, so that the barrier needs no fence, whatever order the text requires.
const Instruction* arrive(Warp& warp, const Instruction* instruction) {
    if (!warp.arrive_in_cluster()) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "a thread arrives at the barrier of the cluster again without a wait for its last arrival", -1};
    }
    return instruction + 1;
}

const Instruction* wait(Warp& warp, const Instruction* instruction) {
    const std::uint32_t missing = warp.mask & ~warp.arrived_in_cluster();
    if (missing != 0) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "a thread waits for the barrier of the cluster without having arrived", std::countr_zero(missing)};
    }
    return warp.wait_for_cluster(instruction);
}

template <Handler handler>
Handler select(Choice&) {
    return handler;
}

constexpr std::uint64_t offset_mask = shared_address(1) - 1;
constexpr std::uint32_t max_rank = 0xff;  // of an address
// No memory has addresses with these bits.
constexpr std::uint64_t invalid_bits = std::uint64_t{0xff} << 48;

// Compilers may run the instruction for threads that do not use its result. So wrong operands cause no fault; an access to the
// resulting address does.
template <class Pointer, bool is_generic>
Pointer map(Pointer address, std::uint32_t rank) {
    const std::uint64_t mapped = (address & offset_mask) | shared_address(rank & max_rank);
    if constexpr (!is_generic) {
        return static_cast<Pointer>(mapped);
    } else {
        return window_of(address) == Window::shared ? window_base(Window::shared) | mapped : address | invalid_bits;
    }
}

template <class Pointer, bool is_generic>
const Instruction* map_address(Warp& warp, const Instruction* instruction) {
    Pointer* const to = warp.to<Pointer>(instruction->slots[0]);
    const Pointer* const from = warp.from<Pointer>(instruction->slots[1]);
    const std::uint32_t* const ranks = warp.from<std::uint32_t>(instruction->slots[2]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        to[lane] = (warp.mask >> lane & 1) != 0 ? map<Pointer, is_generic>(from[lane], ranks[lane]) : to[lane];
    }
    return instruction + 1;
}

template <class Pointer>
const Instruction* read_rank(Warp& warp, const Instruction* instruction) {
    std::uint32_t* const to = warp.to<std::uint32_t>(instruction->slots[0]);
    const Pointer* const from = warp.from<Pointer>(instruction->slots[1]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const auto rank = static_cast<std::uint32_t>(from[lane] >> rank_shift & max_rank);
        to[lane] = (warp.mask >> lane & 1) != 0 ? rank : to[lane];
    }
    return instruction + 1;
}

Handler select_map(Choice& choice) {
    const bool is_generic = !choice.modifiers.has(".shared::cluster");
    if (choice.modifiers.has(".u32")) return map_address<std::uint32_t, false>;
    return is_generic ? map_address<std::uint64_t, true> : map_address<std::uint64_t, false>;
}

Handler select_rank(Choice& choice) {
    return choice.modifiers.has(".u32") ? read_rank<std::uint32_t> : read_rank<std::uint64_t>;
}

constexpr Form forms[] = {
    {"barrier", ".cluster .arrive [.aligned]", "", select<arrive>, Flow::converged, 7080, 90},
    {"barrier", ".cluster .arrive .release|.relaxed [.aligned]", "", select<arrive>, Flow::converged, 8000, 90},
    {"barrier", ".cluster .wait [.aligned]", "", select<wait>, Flow::converged, 7080, 90},
    {"barrier", ".cluster .wait .acquire [.aligned]", "", select<wait>, Flow::converged, 8000, 90},
    {"mapa", "[.shared::cluster] .u32|.u64", "=t t b32", select_map, Flow::none, 7080, 90},
    {"getctarank", "[.shared::cluster] .u32|.u64", "=b32 t", select_rank, Flow::none, 7080, 90},
};

}  // namespace

Forms cluster_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
