// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// @file
/// How closely simulated kernels follow a GPU.
namespace CUBIND_NAMESPACE::sim {

/// The relation of a simulated instruction of PTX to a GPU, from the closest on.
enum class Fidelity : std::uint8_t {
    exact,        ///< a recorded test ran the instruction on an H200, and every byte of memory was the same
    rule,         ///< the simulation follows a rule, usually PTX's definition; no recorded result of a GPU has the instruction
    approximate,  ///< results are known to differ from those of a GPU
};

/// Returns the name of an enumerator, such as "exact". The text lives as long as the process.
const char* name_of(Fidelity fidelity) noexcept;

/// An instruction that a kernel executed.
struct ExecutedInstruction {
    std::string kernel;            ///< name in the PTX of the kernel that executed it, or that called the function with it
    std::string instruction;       ///< such as "fma.rn.f32 d, a, b, c"; a special register; or "call" and a builtin function
    Fidelity fidelity{};           ///< how closely its results follow a GPU
    std::string reason;            ///< the test that compared it with a GPU, or what is known to differ
    std::uint64_t executions = 0;  ///< times that a warp, or a part of a warp, executed it

    /// Compares all members.
    bool operator==(const ExecutedInstruction&) const = default;
};

/// Returns the instructions that kernels have executed since install(), by kernel and instruction. The result is empty unless
/// Options::counts_instructions is set. Counts of running kernels are included. Bodies in C++ (define_kernel()) have no
/// instructions. A multiplication that is contracted with an addition counts as the resulting `fma`. An instruction with a guard
/// counts even if its guard is false for all threads. Thread-safe. Throws std::bad_alloc.
std::vector<ExecutedInstruction> executed_instructions();

}  // namespace CUBIND_NAMESPACE::sim
