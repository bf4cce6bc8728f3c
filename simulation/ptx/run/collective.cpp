// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Collective instructions of a warp whose threads have diverged.
#include <cstring>
#include <span>

#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::size_t largest_slot = warp_size * sizeof(std::uint64_t);

// Copies the values of some threads from a slot to another.
void copy_lanes(int bytes, std::uint32_t lanes, const std::byte* from, std::byte* to) {
    if (bytes == 0) {
        std::uint32_t source = 0;
        std::uint32_t target = 0;
        std::memcpy(&source, from, sizeof source);
        std::memcpy(&target, to, sizeof target);
        target = (target & ~lanes) | (source & lanes);
        std::memcpy(to, &target, sizeof target);
        return;
    }
    const auto size = static_cast<std::size_t>(bytes);
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        std::memcpy(to + lane * size, from + lane * size, size);
    }
}

}  // namespace

std::byte* Warp::slot_in(const Call& call, std::uint32_t slot) noexcept {
    if ((slot & constant_slot) == 0) return registers_.data() + call.registers + slot;
    return const_cast<std::byte*>(call.program->constants.data()) + (slot & ~constant_slot);
}

const Instruction* Warp::run_divergent(const Collective& collective, const Instruction* instruction) {
    const auto* const members = from<std::uint32_t>(instruction->slots[collective.members]);
    std::uint32_t needed = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) needed |= (mask >> lane & 1) != 0 ? members[lane] : 0;
    if ((needed & live_ & ~mask) == 0) {
        collective.run(*this, *instruction);
        return instruction + 1;
    }
    park(instruction, Part::State::converging);
    std::array<Part*, warp_size> all{};
    std::size_t count = 0;
    for (Part& part : waiting_) {
        const bool is_same =
            part.state == Part::State::converging && part.next->run == instruction->run && part.next->extra == instruction->extra;
        if (is_same) all[count++] = &part;
    }
    const std::span<Part* const> parts(all.data(), count);
    const std::uint32_t group = find_group(collective, parts);
    if (group != 0) run_gathered(collective, parts, group);
    return nullptr;
}

// Returns the largest group of threads that have all arrived and wait for no others.
std::uint32_t Warp::find_group(const Collective& collective, std::span<Part* const> parts) {
    std::uint32_t members[warp_size] = {};
    std::uint32_t group = 0;
    for (const Part* const part : parts) {
        const std::uint32_t slot = part->next->slots[collective.members];
        const std::byte* const from = slot_in(*part->call, slot);
        copy_lanes(sizeof(std::uint32_t), part->mask, from, reinterpret_cast<std::byte*>(members));
        group |= part->mask;
    }
    for (;;) {
        std::uint32_t rest = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const bool is_complete = (members[lane] & live_ & ~group) == 0;
            rest |= std::uint32_t{is_complete} << lane & group;
        }
        if (rest == group) return group;
        group = rest;
    }
}

// Parts may have reached the instruction in different calls, or different instructions of the same kind. They run it in one
// frame that has the operands of all.
void Warp::run_gathered(const Collective& collective, std::span<Part* const> parts, std::uint32_t group) {
    alignas(64) std::byte frame[max_slots * largest_slot] = {};
    Instruction instruction = *parts.front()->next;
    for (unsigned i = 0; i < max_slots; ++i) {
        if (instruction.slots[i] == no_slot && i >= collective.destinations) continue;
        // Destinations that one part omits may exist in another.
        instruction.slots[i] = static_cast<std::uint32_t>(i * largest_slot);
    }
    const auto copy = [&](const Part& part, unsigned i, bool is_written) {
        const std::uint32_t slot = part.next->slots[i];
        if (collective.bytes[i] < 0 || slot == no_slot) return;
        std::byte* const own = slot_in(*part.call, slot);
        std::byte* const gathered = frame + i * largest_slot;
        copy_lanes(collective.bytes[i], part.mask & group, is_written ? gathered : own, is_written ? own : gathered);
    };
    for (const Part* const part : parts) {
        for (unsigned i = collective.destinations; i < max_slots; ++i) copy(*part, i, false);
    }
    std::byte* const bases[2] = {bases_[0], bases_[1]};
    bases_[0] = bases_[1] = frame;
    mask = group;
    collective.run(*this, instruction);
    mask = 0;
    bases_[0] = bases[0];
    bases_[1] = bases[1];
    std::array<Part, warp_size> divided;
    std::size_t count = 0;
    for (Part* const part : parts) {
        if ((part->mask & group) == 0) continue;
        for (unsigned i = 0; i < collective.destinations; ++i) copy(*part, i, true);
        if ((part->mask & ~group) != 0) {
            divided[count] = *part;
            divided[count++].mask &= ~group;
            ++part->call->users;
        }
        part->mask &= group;
        part->state = Part::State::ready;
        ++part->next;
    }
    waiting_.insert(waiting_.end(), divided.begin(), divided.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
