// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ptx/run/warp.hpp"

/// Handlers that the passes use themselves. They are not specific to an instruction set of the processor.
namespace CUBIND_NAMESPACE::sim::ptx {

/// A register that the hardware provides.
struct SpecialRegister {
    std::string_view name;
    std::uint8_t bytes;
    Handler read;  ///< writes the value to the first slot
};

/// Returns the special register of this name, or null.
const SpecialRegister* find_special_register(std::string_view name) noexcept;

/// Does nothing. Holds slots of the instruction that precedes it.
const Instruction* hold_slots(Warp& warp, const Instruction* instruction);
/// Returns the handler that writes the lower bytes of the register in the second slot to the first, or null.
Handler find_truncation(int from_bytes, int to_bytes) noexcept;

/// Begins a basic block.
const Instruction* begin_block(Warp& warp, const Instruction* instruction);
/// Begins a basic block, and counts it in the BlockCount that Instruction::data points to.
const Instruction* count_block(Warp& warp, const Instruction* instruction);
/// Calls Instruction::guarded for the threads whose guard is true.
const Instruction* run_guarded(Warp& warp, const Instruction* instruction);
/// Calls Instruction::guarded for the threads whose guard is false.
const Instruction* run_guarded_not(Warp& warp, const Instruction* instruction);
/// Continues at the target for all threads.
const Instruction* jump(Warp& warp, const Instruction* instruction);
/// Continues at the target for threads whose guard is true.
const Instruction* branch_if(Warp& warp, const Instruction* instruction);
/// Continues at the target for threads whose guard is false.
const Instruction* branch_unless(Warp& warp, const Instruction* instruction);
/// Returns from a call. In a kernel, ends the threads.
const Instruction* return_from_call(Warp& warp, const Instruction* instruction);
/// Calls the function of the CallSite.
const Instruction* call_function(Warp& warp, const Instruction* instruction);
/// Calls the functions that the first slot points to.
const Instruction* call_pointer(Warp& warp, const Instruction* instruction);
/// Throws a Fault with the text in Instruction::data.
const Instruction* fail_unsupported(Warp& warp, const Instruction* instruction);
/// Writes the address in local memory of a variable of the call.
const Instruction* read_local_address_32(Warp& warp, const Instruction* instruction);
const Instruction* read_local_address_64(Warp& warp, const Instruction* instruction);
/// Writes the address of a variable in the shared memory of the block.
const Instruction* read_shared_address_32(Warp& warp, const Instruction* instruction);
const Instruction* read_shared_address_64(Warp& warp, const Instruction* instruction);
/// Writes the negation of the predicate in the second slot to the first.
const Instruction* negate_predicate(Warp& warp, const Instruction* instruction);

struct Builtin;

/// Returns a function that the simulation provides, such as vprintf, or null. It finds its arguments in the local memory of its
/// call, and ends with Warp::end_call(). Functions of the device runtime exist only if the module was linked with libcudadevrt.a.
const Builtin* find_builtin(std::string_view name, bool has_device_runtime) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
