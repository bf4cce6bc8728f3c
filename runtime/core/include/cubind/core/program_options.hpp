// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

struct LinkerOptions;

/// A macro that is defined before the first line of the source. Without a value it is 1; with an empty value it is empty. The
/// name of a macro with parameters has no spaces: {"SQUARE(x)", "((x) * (x))"}.
struct Macro {
    std::string name;
    std::optional<std::string> value = std::nullopt;
};

/// How much speed of the code is traded for a faster compilation. NVRTC has off and max since 12.5, min and mid since 12.9.
enum class OfastCompile { off, min, mid, max };

/// The subject of remarks in the compiler's log.
enum class OptimizationInfo { inlining };

/// The options of a Program. An aggregate; the members have the names of cuda.core, and designated initializers follow their
/// order here. Options that are not set have the compiler's defaults. Several threads may read one object.
///
///     Program program{source, {.arch = "sm_90", .std = "c++17", .define_macro = {{"BLOCK", "256"}, {"NDEBUG"}}}};
///
/// All options apply to C++ (NVRTC); linker_options() returns those that apply to PTX. A release in brackets is the first one
/// whose NVRTC has the option; without it, every release since 12.0 has the option.
struct CUBIND_EXPORT ProgramOptions {
    // ---- output ----------------------------------------------------------------------------------------------------------

    /// The name of the source in messages and debug information. The compiler searches its folder, or the working directory for a
    /// name without a folder, for headers that are included with quotes.
    std::string name = "default_program";
    /// "sm_90" for code that runs, "compute_90" for PTX only. The suffix a restricts the code to this architecture, f to its
    /// family (12.9). If empty, the Program uses that of the current device, or of device 0 if no context is current.
    std::string arch = {};
    /// "c++03", "c++11", "c++14", "c++17", "c++20" or "c++23" (13.3).
    std::string std = {};
    /// Generates code that a Linker can link with other code.
    std::optional<bool> relocatable_device_code = {};
    /// Generates whole programs in which a linker can still resolve calls of the device runtime; not with relocatable_device_code
    /// = true.
    bool extensible_whole_program = false;
    /// Generates LTO-IR instead of PTX and a cubin; not with relocatable_device_code = false.
    bool link_time_optimization = false;
    /// Generates LTO-IR that is already optimized; with link_time_optimization.
    bool gen_opt_lto = false;

    // ---- debugging -------------------------------------------------------------------------------------------------------

    /// Generates debug information. Device code is not optimized unless device_code_optimize is set.
    bool debug = false;
    /// Generates line numbers for profilers and debuggers; debug includes them.
    bool lineinfo = false;
    /// Optimizes device code in spite of debug.
    bool device_code_optimize = false;

    // ---- optimization and arithmetic -------------------------------------------------------------------------------------

    /// Options of ptxas, one per element, such as "-v".
    std::vector<std::string> ptxas_options = {};
    /// The upper limit of registers per thread.
    std::optional<int> max_register_count = {};
    /// Whether denormal numbers in single precision become zero.
    std::optional<bool> ftz = {};
    /// Whether square roots in single precision are rounded as IEEE 754 requires.
    std::optional<bool> prec_sqrt = {};
    /// Whether divisions and reciprocals in single precision are rounded as IEEE 754 requires.
    std::optional<bool> prec_div = {};
    /// Whether a product and a sum are contracted to one fused operation.
    std::optional<bool> fma = {};
    /// Uses fast, less exact functions, and the fast values of ftz, prec_sqrt, prec_div and fma unless those are set.
    bool use_fast_math = false;
    bool extra_device_vectorization = false;
    /// Assumes that pointer parameters of kernels never point to the same memory.
    bool restrict = false;
    std::optional<OptimizationInfo> optimization_info = {};
    std::optional<OfastCompile> ofast_compile = {};
    /// The number of threads that optimize, 0 for one per processor.
    std::optional<int> split_compile = {};
    /// The seed of names that the compiler generates, any text (12.9).
    std::string frandom_seed = {};

    // ---- preprocessor and language ---------------------------------------------------------------------------------------

    std::vector<Macro> define_macro = {};
    /// Names that are undefined after define_macro has defined its macros.
    std::vector<std::string> undefine_macro = {};
    /// Folders that are searched for headers, in this order.
    std::vector<std::string> include_path = {};
    /// Headers that are included before the first line.
    std::vector<std::string> pre_include = {};
    /// Does not search the folder of `name`.
    bool no_source_include = false;
    /// Whether the compiler defines std::move and std::forward itself.
    std::optional<bool> builtin_move_forward = {};
    /// Whether the compiler defines std::initializer_list itself.
    std::optional<bool> builtin_initializer_list = {};
    /// Functions without an execution space are device functions.
    bool device_as_default_execution_space = false;
    /// Enables the type __int128.
    bool device_int128 = false;
    /// Enables the type __float128 (12.8), on sm_100 and newer.
    bool device_float128 = false;
    /// Checks the syntax and generates no code (12.4).
    bool fdevice_syntax_only = false;
    /// Omits features that small programs seldom need, to compile them faster (12.4).
    bool minimal = false;
    /// A folder that NVRTC fills with its own CUDA and C++ headers unless they exist, and searches (13.3). Each release needs a
    /// folder of its own.
    std::string use_bundled_headers = {};

    // ---- messages --------------------------------------------------------------------------------------------------------

    bool disable_warnings = false;
    bool no_display_error_number = false;
    /// Numbers of diagnostics that become errors, are suppressed, or become warnings.
    std::vector<int> diag_error = {};
    std::vector<int> diag_suppress = {};
    std::vector<int> diag_warn = {};
    /// Whether diagnostics omit the line of source that they refer to (12.1).
    std::optional<bool> brief_diagnostics = {};
    /// A file for a table of the time of each phase, comma-separated; "-" writes it to the log (12.1).
    std::string time = {};
    /// A file, named without ".json", for a trace of the compiler's time (12.8; before 13.0 the name must not contain a dot).
    std::string fdevice_time_trace = {};

    // ---- caches and precompiled headers ----------------------------------------------------------------------------------

    /// Disables the compiler's own cache on disk (12.9).
    bool no_cache = false;
    /// Precompiled headers (12.8): created and used automatically (pch), created in this file, or used from this file. At most
    /// one of the three.
    bool pch = false;
    std::string create_pch = {};
    std::string use_pch = {};
    /// The folder of these files (12.8).
    std::string pch_dir = {};
    /// Whether the log states why a precompiled header was not used (12.8).
    std::optional<bool> pch_verbose = {};
    /// Whether the log states that a precompiled header was created or used (12.8).
    std::optional<bool> pch_messages = {};
    /// Whether templates are instantiated before a header is precompiled (12.8).
    std::optional<bool> instantiate_templates_in_pch = {};

    // ----------------------------------------------------------------------------------------------------------------------

    /// Throws std::invalid_argument for a value that no compiler accepts, and for options that contradict each other. The message
    /// names the option, the value and what is allowed.
    void check() const;

    /// Returns the options of the Linker that compiles PTX to a cubin. Throws std::invalid_argument, which names the option, for
    /// options that do not apply to PTX.
    [[nodiscard]] LinkerOptions linker_options() const;
};

/// Returns NVRTC's flags in one line, for messages and keys. Different flags give different lines. Checks nothing; `name` is not
/// a flag.
[[nodiscard]] CUBIND_EXPORT std::string to_string(const ProgramOptions& options);

}  // namespace CUBIND_NAMESPACE
