// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

/// The options of a Linker. It is an aggregate. Its members have the names of cuda.core, and designated initializers must
/// follow their order here. Options that are not set have the linker's defaults. Several threads may read one object.
///
///     Linker linker{objects, {.arch = "sm_90", .link_time_optimization = true, .kernels_used = {"saxpy"}}};
///
/// nvJitLink supports all options. The driver's linker supports fewer; link() throws std::invalid_argument for the others. A
/// release in parentheses is the first one whose nvJitLink has the option. If no release is given, every release since 12.0 has
/// the option.
struct CUBIND_EXPORT LinkerOptions {
    /// The name of the linked code.
    std::string name = "<default linker>";
    /// The architecture: "sm_90" for a cubin, "compute_90" for PTX. The suffix "a" restricts the code to this architecture, "f"
    /// to its family (12.9). If empty, the Linker uses the architecture of the current device, or of device 0 if no context is
    /// current.
    std::string arch = {};
    /// The upper limit of registers per thread.
    std::optional<int> max_register_count = {};
    /// Reports the time of the link in the information log.
    bool time = false;
    /// Reports more in the information log, such as the registers of each kernel.
    bool verbose = false;
    /// Compiles LTO-IR; at least one input must be LTO-IR. nvJitLink only.
    bool link_time_optimization = false;
    /// Produces PTX instead of a cubin; with link_time_optimization only.
    bool ptx = false;
    /// The optimization level: 0 or 3 for nvJitLink (with link_time_optimization since 12.3), 0 to 4 for the driver's linker.
    std::optional<int> optimization_level = {};
    /// Generates debug information.
    bool debug = false;
    /// Generates line numbers for profilers and debuggers.
    bool lineinfo = false;
    /// Whether denormal numbers in single precision become zero. Affects LTO-IR only.
    std::optional<bool> ftz = {};
    /// Whether divisions and reciprocals in single precision are rounded as IEEE 754 requires. Affects LTO-IR only.
    std::optional<bool> prec_div = {};
    /// Whether square roots in single precision are rounded as IEEE 754 requires. Affects LTO-IR only.
    std::optional<bool> prec_sqrt = {};
    /// Whether a product and a sum are contracted to one fused operation. Affects LTO-IR only.
    std::optional<bool> fma = {};
    /// The mangled names of the kernels that the host uses. The linker may remove others.
    std::vector<std::string> kernels_used = {};
    /// The mangled names of the variables that the host uses. The linker may remove others.
    std::vector<std::string> variables_used = {};
    /// Allows the linker to remove variables that no device code uses and that variables_used does not name.
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
