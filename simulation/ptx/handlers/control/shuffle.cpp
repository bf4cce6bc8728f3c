// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Shuffles: each thread reads a register of another thread of its warp.
#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

enum class Mode { up, down, butterfly, index };

/// The thread that another reads, and whether it is in the segment.
struct Source {
    std::uint32_t lane;
    bool is_in_range;
};

// The lower bits of `bounds` are the last thread of a segment, or the first one for `up`; bits 8 to 12 select the bits of the
// thread's number that all threads of its segment share.
template <Mode mode>
Source find_source(std::uint32_t own, std::uint32_t offset, std::uint32_t bounds) {
    const std::uint32_t segment = bounds >> 8 & 31;
    const std::uint32_t first = own & segment;
    const auto limit = static_cast<std::int32_t>(first | (bounds & 31 & ~segment));
    offset &= 31;
    std::int32_t lane = 0;
    if (mode == Mode::up) lane = static_cast<std::int32_t>(own) - static_cast<std::int32_t>(offset);
    if (mode == Mode::down) lane = static_cast<std::int32_t>(own + offset);
    if (mode == Mode::butterfly) lane = static_cast<std::int32_t>(own ^ offset);
    if (mode == Mode::index) lane = static_cast<std::int32_t>(first | (offset & ~segment));
    const bool is_in_range = mode == Mode::up ? lane >= limit : lane <= limit;
    return {is_in_range ? static_cast<std::uint32_t>(lane) : own, is_in_range};
}

// Slots: result, predicate, value, offset, bounds.
template <Mode mode>
void shuffle(Warp& warp, const Instruction& instruction) {
    const std::uint32_t* const from = warp.from<std::uint32_t>(instruction.slots[2]);
    const std::uint32_t* const offsets = warp.from<std::uint32_t>(instruction.slots[3]);
    const std::uint32_t* const bounds = warp.from<std::uint32_t>(instruction.slots[4]);
    alignas(64) std::uint32_t values[warp_size];
    std::uint32_t in_range = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Source source = find_source<mode>(lane, offsets[lane], bounds[lane]);
        values[lane] = from[source.lane];
        in_range |= source.is_in_range ? lane_bits[lane] : 0u;
    }
    if (instruction.slots[0] != no_slot) {
        write_lanes(
            warp, warp.to<std::uint32_t>(instruction.slots[0]), [](std::uint32_t value) { return value; }, values);
    }
    if (instruction.slots[1] != no_slot) warp.set_predicate(instruction.slots[1], in_range);
}

template <Mode mode>
constexpr Collective collective{shuffle<mode>, 5, 2, {4, 0, 4, 4, 4, 4, -1, -1}};

template <Mode mode>
const Instruction* run_collective(Warp& warp, const Instruction* instruction) {
    return warp.run_together(collective<mode>, instruction);
}
template <Mode mode>
const Instruction* run_alone(Warp& warp, const Instruction* instruction) {
    shuffle<mode>(warp, *instruction);
    return instruction + 1;
}

template <Mode mode>
Handler handler_of(const Modifiers& modifiers) {
    return modifiers.has(".sync") ? run_collective<mode> : run_alone<mode>;
}

Handler select_shuffle(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    if (modifiers.has(".up")) return handler_of<Mode::up>(modifiers);
    if (modifiers.has(".down")) return handler_of<Mode::down>(modifiers);
    if (modifiers.has(".bfly")) return handler_of<Mode::butterfly>(modifiers);
    return handler_of<Mode::index>(modifiers);
}

// Shuffles without .sync are for PTX of older GPUs.
constexpr Form forms[] = {
    {"shfl", ".sync .up|.down|.bfly|.idx .b32", "=b32|p b32 b32 b32 b32", select_shuffle, Flow::converged, 6000, 30},
    {"shfl", ".up|.down|.bfly|.idx .b32", "=b32|p b32 b32 b32", select_shuffle, Flow::none, 3000, 30},
};

}  // namespace

Forms shuffle_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
