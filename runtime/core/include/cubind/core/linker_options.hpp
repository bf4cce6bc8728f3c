// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

/// The options of a Linker. An aggregate; the members have the names of cuda.core, and designated initializers follow their order
/// here. Options that are not set have the linker's defaults. Several threads may read one object.
///
///     Linker linker{objects, {.arch = "sm_90", .link_time_optimization = true, .kernels_used = {"saxpy"}}};
///
/// nvJitLink supports all options. The driver's linker supports fewer: it refuses the others and never ignores them. A release in
/// brackets is the first one whose nvJitLink has the option; without it, every release since 12.0 has the option.
struct CUBIND_EXPORT LinkerOptions {
    /// The name of the linked code.
    std::string name = "<default linker>";
    /// "sm_90" for a cubin, "compute_90" for PTX. The suffix a restricts the code to this architecture, f to its family (12.9).
    /// If empty, the Linker uses that of the current device, or of device 0 if no context is current.
    std::string arch = {};
    /// The upper limit of registers per thread.
    std::optional<int> max_register_count = {};
    /// Reports the time of the link in the information log.
    bool time = false;
    /// Reports more in the information log, such as the registers of each kernel.
    bool verbose = false;
    /// Compiles LTO-IR, which at least one input must be; nvJitLink only.
    bool link_time_optimization = false;
    /// Produces PTX instead of a cubin; with link_time_optimization only.
    bool ptx = false;
    /// 0 or 3 (with link_time_optimization 12.3); the driver's linker accepts 0 to 4.
    std::optional<int> optimization_level = {};
    /// Generates debug information.
    bool debug = false;
    /// Generates line numbers for profilers and debuggers.
    bool lineinfo = false;
    /// The same as in ProgramOptions, for LTO-IR. PTX and cubins are not affected.
    std::optional<bool> ftz = {};
    std::optional<bool> prec_div = {};
    std::optional<bool> prec_sqrt = {};
    std::optional<bool> fma = {};
    /// Mangled names of the kernels and variables that the host uses. The linker may remove others.
    std::vector<std::string> kernels_used = {};
    std::vector<std::string> variables_used = {};
    /// Lets the linker remove variables that no device code uses and variables_used does not name.
    bool optimize_unused_variables = false;
    /// Options of ptxas, one per element, such as "-v"; nvJitLink only.
    std::vector<std::string> ptxas_options = {};
    /// The number of threads that optimize, 0 for one per processor (12.3; the driver's linker since 13.0).
    std::optional<int> split_compile = {};
    /// The number of threads that optimize LTO-IR, 0 for one per processor. Single functions are split, too, which may make the
    /// code slower (12.3); nvJitLink only.
    std::optional<int> split_compile_extended = {};
    /// Disables nvJitLink's cache on disk (12.5).
    bool no_cache = false;

    /// Throws std::invalid_argument for a value that no linker accepts, and for options that contradict each other. The message
    /// names the option, the value and what is allowed.
    void check() const;
};

/// Returns nvJitLink's flags in one line, for messages and keys. Different flags give different lines. Checks nothing; `name` is
/// not a flag.
[[nodiscard]] CUBIND_EXPORT std::string to_string(const LinkerOptions& options);

}  // namespace CUBIND_NAMESPACE
