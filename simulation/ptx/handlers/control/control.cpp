// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/control/control.hpp"

#include <cubind/driver/constants.hpp>

#include <bit>
#include <string>
#include <vector>

#include "ptx/handlers/common.hpp"
#include "ptx/run/memory.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

const Instruction* end_threads(Warp& warp, const Instruction*) {
    return warp.end_threads();
}

const Instruction* trap(Warp&, const Instruction*) {
    throw Fault{driver::CUDA_ERROR_LAUNCH_FAILED, "trap", -1};
}

const Instruction* stop_for_debugger(Warp&, const Instruction*) {
    throw Fault{driver::CUDA_ERROR_LAUNCH_FAILED, "brkpt without a debugger", -1};
}

// Lets other threads run, because this one probably waits for their values.
const Instruction* sleep(Warp& warp, const Instruction* instruction) {
    warp.pause_polling(instruction + 1);
    return nullptr;
}

const Instruction* do_nothing(Warp&, const Instruction* instruction) {
    return instruction + 1;
}

const Instruction* branch_to_index(Warp& warp, const Instruction* instruction) {
    const auto& targets = *static_cast<const std::vector<const Instruction*>*>(instruction->data);
    const std::uint32_t* const indices = warp.from<std::uint32_t>(instruction->slots[0]);
    const std::uint32_t index = indices[std::countr_zero(warp.mask)];
    if (index >= targets.size()) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "the index of a branch is " + std::to_string(index) + ", but the branch has " +
                        std::to_string(targets.size()) + " targets",
                    -1};
    }
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
    {"brkpt", "", "", select<stop_for_debugger>, Flow::none, 1000, 11},
    {"nanosleep", ".u32", "b32", select<sleep>, Flow::converged, 6000, 70},
    {"pmevent", "", "b32", select<do_nothing>, Flow::none, 1040},
    {"pmevent", ".mask", "b32", select<do_nothing>, Flow::none, 3000, 20},
    {"griddepcontrol", ".launch_dependents|.wait", "", select<do_nothing>, Flow::none, 7080, 90},
};

}  // namespace

Forms control_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
