// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/decode/executable.hpp"
#include "ptx/decode/step.hpp"
#include "ptx/fidelity/classification.hpp"

/// The passes from the statements of a function to its program, in the order in which they run.
namespace CUBIND_NAMESPACE::sim::ptx {

/// Resolves the names of a function and finds the form of each instruction. An instruction that cannot run becomes a step that
/// fails when it runs.
Steps lower(const Executable& executable, const SharedLayout& shared, const Function& function);

/// Contracts a multiplication and an addition of its result to a fused multiplication and addition, as ptxas does.
void fuse_multiply_add(Steps& steps);

/// Replaces the steps with less than a fidelity by steps that fail when they run.
void refuse(Steps& steps, Fidelity required);

/// Returns why something of this class is refused.
std::string refusal(std::string_view instruction, const Classification& found, Fidelity required);

/// Where the registers of a function are in its frame.
struct SlotTable {
    std::vector<std::uint32_t> slots;  ///< of each register; no_slot if nothing uses it
    std::size_t frame_bytes = 0;
};

/// Why a function cannot be decoded. Thrown by lower() and assign_slots().
struct TooLarge {
    std::string what;
};

/// Assigns slots. Registers that are not live at the same time share them. Throws TooLarge if the function has too many basic
/// blocks and registers to find out which are live, or if the frame is larger than any call may have.
SlotTable assign_slots(const Steps& steps);

/// Writes the instructions to the program. Calls may already have its address.
void decode(KernelCode& kernel, Steps& steps, const SlotTable& slots, Program& program);

}  // namespace CUBIND_NAMESPACE::sim::ptx
