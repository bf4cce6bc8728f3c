// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions that combine values of all threads of a warp.
#include <bit>

#include "ptx/handlers/control/control.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

template <const Collective& collective>
const Instruction* run_collective(Warp& warp, const Instruction* instruction) {
    return warp.run_together(collective, instruction);
}

/// Calls `visit(lanes, group)` for each set of active threads that name the same threads: `lanes` are the active ones that name
/// them, `group` the named ones that are active.
template <class Visit>
void for_each_group(const Warp& warp, std::uint32_t members_slot, Visit visit) {
    const std::uint32_t* const members = warp.from<std::uint32_t>(members_slot);
    for (std::uint32_t rest = warp.mask; rest != 0;) {
        const std::uint32_t named = members[std::countr_zero(rest)];
        std::uint32_t lanes = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) lanes |= std::uint32_t{members[lane] == named} << lane;
        lanes &= rest;
        visit(lanes, named & warp.mask);
        rest &= ~lanes;
    }
}

template <class Value>
void write(Warp& warp, std::uint32_t slot, std::uint32_t lanes, Value value) {
    if (slot == no_slot) return;
    Value* const to = warp.to<Value>(slot);
    for (; lanes != 0; lanes &= lanes - 1) to[std::countr_zero(lanes)] = value;
}

void write_predicate(Warp& warp, std::uint32_t slot, std::uint32_t lanes, bool value) {
    if (slot == no_slot) return;
    std::uint32_t& bits = *warp.to<std::uint32_t>(slot);
    bits = value ? bits | lanes : bits & ~lanes;
}

enum class Vote { all, any, uniform };

bool decide(Vote vote, std::uint32_t group, std::uint32_t predicate) {
    const bool is_all = (group & ~predicate) == 0;
    const bool is_any = (group & predicate) != 0;
    return vote == Vote::all ? is_all : vote == Vote::any ? is_any : is_all || !is_any;
}

// Slots of votes: result, predicate, threads.
template <Vote vote>
void run_vote(Warp& warp, const Instruction& instruction) {
    const std::uint32_t predicate = warp.predicate(instruction.slots[1]);
    for_each_group(warp, instruction.slots[2], [&](std::uint32_t lanes, std::uint32_t group) {
        write_predicate(warp, instruction.slots[0], lanes, decide(vote, group, predicate));
    });
}
void run_ballot(Warp& warp, const Instruction& instruction) {
    const std::uint32_t predicate = warp.predicate(instruction.slots[1]);
    for_each_group(warp, instruction.slots[2], [&](std::uint32_t lanes, std::uint32_t group) {
        write(warp, instruction.slots[0], lanes, group & predicate);
    });
}

template <Vote vote>
const Instruction* vote_of_active(Warp& warp, const Instruction* instruction) {
    const bool result = decide(vote, warp.mask, warp.predicate(instruction->slots[1]));
    write_predicate(warp, instruction->slots[0], warp.mask, result);
    return instruction + 1;
}
const Instruction* ballot_of_active(Warp& warp, const Instruction* instruction) {
    write(warp, instruction->slots[0], warp.mask, warp.mask & warp.predicate(instruction->slots[1]));
    return instruction + 1;
}
const Instruction* active_mask(Warp& warp, const Instruction* instruction) {
    write(warp, instruction->slots[0], warp.mask, warp.mask);
    return instruction + 1;
}

template <class Value>
std::uint32_t find_equal(const Value* values, std::uint32_t group, Value value) {
    std::uint32_t equal = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) equal |= std::uint32_t{values[lane] == value} << lane;
    return equal & group;
}

// Slots: result, value, threads. The result may replace the value.
template <class Value>
void match_any(Warp& warp, const Instruction& instruction) {
    Value values[warp_size];
    const Value* const from = warp.from<Value>(instruction.slots[1]);
    for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = from[lane];
    for_each_group(warp, instruction.slots[2], [&](std::uint32_t lanes, std::uint32_t group) {
        for (std::uint32_t rest = lanes; rest != 0;) {
            const Value value = values[std::countr_zero(rest)];
            const std::uint32_t same = find_equal(values, rest, value);
            write(warp, instruction.slots[0], same, find_equal(values, group, value));
            rest &= ~same;
        }
    });
}
// Slots: result, predicate, value, threads.
template <class Value>
void match_all(Warp& warp, const Instruction& instruction) {
    Value values[warp_size];
    const Value* const from = warp.from<Value>(instruction.slots[2]);
    for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = from[lane];
    for_each_group(warp, instruction.slots[3], [&](std::uint32_t lanes, std::uint32_t group) {
        const bool is_equal = group == 0 || find_equal(values, group, values[std::countr_zero(group)]) == group;
        write(warp, instruction.slots[0], lanes, is_equal ? group : 0);
        write_predicate(warp, instruction.slots[1], lanes, is_equal);
    });
}

// Slots: number of the elected thread, predicate, threads.
void elect(Warp& warp, const Instruction& instruction) {
    for_each_group(warp, instruction.slots[2], [&](std::uint32_t lanes, std::uint32_t group) {
        const std::uint32_t candidates = group != 0 ? group : lanes;
        const auto leader = static_cast<std::uint32_t>(std::countr_zero(candidates));
        write(warp, instruction.slots[0], lanes, leader);
        write_predicate(warp, instruction.slots[1], lanes, false);
        write_predicate(warp, instruction.slots[1], lanes & 1u << leader, true);
    });
}

void synchronize(Warp&, const Instruction&) {}

constexpr Collective all_collective{run_vote<Vote::all>, 2, 1, {0, 0, 4, -1, -1, -1, -1, -1}};
constexpr Collective any_collective{run_vote<Vote::any>, 2, 1, {0, 0, 4, -1, -1, -1, -1, -1}};
constexpr Collective uniform_collective{run_vote<Vote::uniform>, 2, 1, {0, 0, 4, -1, -1, -1, -1, -1}};
constexpr Collective ballot_collective{run_ballot, 2, 1, {4, 0, 4, -1, -1, -1, -1, -1}};
constexpr Collective match_any_32{match_any<std::uint32_t>, 2, 1, {4, 4, 4, -1, -1, -1, -1, -1}};
constexpr Collective match_any_64{match_any<std::uint64_t>, 2, 1, {4, 8, 4, -1, -1, -1, -1, -1}};
constexpr Collective match_all_32{match_all<std::uint32_t>, 3, 2, {4, 0, 4, 4, -1, -1, -1, -1}};
constexpr Collective match_all_64{match_all<std::uint64_t>, 3, 2, {4, 0, 8, 4, -1, -1, -1, -1}};
constexpr Collective elect_collective{elect, 2, 2, {4, 0, 4, -1, -1, -1, -1, -1}};
constexpr Collective synchronize_collective{synchronize, 0, 0, {4, -1, -1, -1, -1, -1, -1, -1}};

Handler select_vote(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const bool is_sync = modifiers.has(".sync");
    if (modifiers.has(".ballot")) return is_sync ? run_collective<ballot_collective> : ballot_of_active;
    if (modifiers.has(".all")) return is_sync ? run_collective<all_collective> : vote_of_active<Vote::all>;
    if (modifiers.has(".any")) return is_sync ? run_collective<any_collective> : vote_of_active<Vote::any>;
    return is_sync ? run_collective<uniform_collective> : vote_of_active<Vote::uniform>;
}
Handler select_match(Choice& choice) {
    const bool is_wide = choice.modifiers.type() == ".b64";
    if (choice.modifiers.has(".any")) return is_wide ? run_collective<match_any_64> : run_collective<match_any_32>;
    return is_wide ? run_collective<match_all_64> : run_collective<match_all_32>;
}
template <Handler handler>
Handler select(Choice&) {
    return handler;
}

// Votes without .sync are for PTX of older GPUs.
constexpr Form forms[] = {
    {"vote", ".sync .all|.any|.uni .pred", "=p p b32", select_vote, Flow::converged, 6000, 30},
    {"vote", ".sync .ballot .b32", "=b32 p b32", select_vote, Flow::converged, 6000, 30},
    {"vote", ".all|.any|.uni .pred", "=p p", select_vote, Flow::none, 1020, 12},
    {"vote", ".ballot .b32", "=b32 p", select_vote, Flow::none, 2000, 20},
    {"match", ".any .sync .b32|.b64", "=b32 t b32", select_match, Flow::converged, 6000, 70},
    {"match", ".sync .any .b32|.b64", "=b32 t b32", select_match, Flow::converged, 6000, 70},
    {"match", ".all .sync .b32|.b64", "=b32|p t b32", select_match, Flow::converged, 6000, 70},
    {"match", ".sync .all .b32|.b64", "=b32|p t b32", select_match, Flow::converged, 6000, 70},
    {"activemask", ".b32", "=b32", select<active_mask>, Flow::none, 6020, 30},
    {"elect", ".sync", "=b32|p b32", select<run_collective<elect_collective>>, Flow::converged, 8000, 90},
    {"bar", ".warp .sync", "b32", select<run_collective<synchronize_collective>>, Flow::converged, 6000, 30},
};

}  // namespace

Forms vote_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
