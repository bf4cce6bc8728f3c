// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cubind {

namespace driver {

enum CUjit_option : unsigned int;

}  // namespace driver

/// How a Linker links: plain data, named as in cuda.core, designated in the order in which they stand here. What is left out stays as
/// the linker has it by itself. Several threads may read one object.
///
///     Linker linker{objects, {.arch = "sm_90", .link_time_optimization = true, .kernels_used = {"saxpy"}}};
///
/// nvJitLink takes all of them. The driver's linker takes fewer; what it has no means for is refused, never dropped. A release in
/// brackets is the first whose nvJitLink has the option; without one every release since 12.0 has it.
struct LinkerOptions {
    /// What the linked code is called.
    std::string name = "<default linker>";
    /// "sm_90" for a cubin, "compute_90" for PTX; with a (this architecture only) or f (its family, 12.9) at the end. Empty: that of
    /// the device at hand, which Linker fills in.
    std::string arch = {};
    /// Upper limit of registers for each thread.
    std::optional<int> max_register_count = {};
    /// The information log says how long linking took.
    bool time = false;
    /// The information log says more, e.g. the registers of each kernel.
    bool verbose = false;
    /// Compiles LTO-IR, which at least one input has to be; nvJitLink only.
    bool link_time_optimization = false;
    /// With link_time_optimization: PTX instead of a cubin.
    bool ptx = false;
    /// 0 or 3 (with link_time_optimization 12.3); the driver's linker takes 0 to 4.
    std::optional<int> optimization_level = {};
    bool debug = false;
    /// Line numbers for profilers and debuggers.
    bool lineinfo = false;
    /// As ProgramOptions has them. They act on LTO-IR; in PTX and cubins they are settled.
    std::optional<bool> ftz = {};
    std::optional<bool> prec_div = {};
    std::optional<bool> prec_sqrt = {};
    std::optional<bool> fma = {};
    /// Kernels and variables, by their mangled names, that the host uses: others may be removed.
    std::vector<std::string> kernels_used = {};
    std::vector<std::string> variables_used = {};
    /// Variables that no device code uses, and variables_used does not name, may be removed.
    bool optimize_unused_variables = false;
    /// Each is one option of ptxas, e.g. "-v"; nvJitLink only.
    std::vector<std::string> ptxas_options = {};
    /// Threads that optimise, 0 for one of each processor (12.3; the driver's linker since 13.0).
    std::optional<int> split_compile = {};
    /// The same for LTO-IR, where even one function is split, which may cost speed of the code (12.3); nvJitLink only.
    std::optional<int> split_compile_extended = {};
    /// nvJitLink keeps nothing in its cache on disk, nor takes anything from it (12.5).
    bool no_cache = false;

    /// Throws std::invalid_argument, which names option, value and what is allowed, for a value that no linker takes and for options
    /// that contradict each other.
    void check() const;

    /// The flags of nvJitLinkCreate that the options become, always the same for the same options. Checks first; given a version of
    /// nvJitLink, 12030 for 12.3, it refuses by name also what that one does not have.
    std::vector<std::string> nvjitlink_flags(int nvjitlink_version = 0) const;

    /// The options of cuLinkCreate, each with the number that goes in as its value; logs are the caller's to add. CU_JIT_WALL_TIME,
    /// which `time` becomes, is where the driver leaves milliseconds as a float. Checks first, and refuses, saying why, what the
    /// driver's linker has no means for; given a driver's version, 13000 for 13.0, also what that one does not have.
    std::vector<std::pair<driver::CUjit_option, unsigned>> driver_options(int driver_version = 0) const;
};

/// nvJitLink's flags as one line for messages and keys: different flags give different lines. Checks nothing; `name` is not a flag.
std::string to_string(const LinkerOptions& options);

}  // namespace cubind
