// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cubind {

struct LinkerOptions;

/// A macro that is defined before the first line of the source: without a value it is 1, with an empty one it is nothing. The name of
/// one with parameters is written without spaces: {"SQUARE(x)", "((x) * (x))"}.
struct Macro {
    std::string name;
    std::optional<std::string> value = std::nullopt;
};

/// How much speed of the code is given for a faster compilation. NVRTC knows off and max since 12.5, min and mid since 12.9.
enum class OfastCompile { off, min, mid, max };

/// What the compiler reports on in its log.
enum class OptimizationInfo { inlining };

/// How a Program is compiled: plain data, named as in cuda.core, designated in the order in which they stand here. What is left out
/// stays as the compiler has it by itself. Several threads may read one object.
///
///     Program program{source, {.arch = "sm_90", .std = "c++17", .define_macro = {{"BLOCK", "256"}, {"NDEBUG"}}}};
///
/// All of them are for C++ (NVRTC); those that code in PTX can have, too, are what linker_options() takes. A release in brackets is
/// the first whose NVRTC does what the option says; without one every release since 12.0 does.
struct ProgramOptions {
    // ---- what is made ----------------------------------------------------------------------------------------------------

    /// What the compiler calls the source in messages and debug information. Its folder, the working directory for a plain name, is
    /// searched for "included" files.
    std::string name = "default_program";
    /// "sm_90" for code that runs, "compute_90" for PTX alone; with a (this architecture only) or f (its family, 12.9) at the end.
    /// Empty: that of the device at hand, which Program fills in.
    std::string arch = {};
    /// "c++03", "c++11", "c++14", "c++17", "c++20" or "c++23" (13.3).
    std::string std = {};
    /// Code that a Linker may join with other code.
    std::optional<bool> relocatable_device_code = {};
    /// Whole code, whose linker may still resolve calls of the device runtime; not with relocatable_device_code = true.
    bool extensible_whole_program = false;
    /// LTO-IR instead of PTX and cubin; not with relocatable_device_code = false.
    bool link_time_optimization = false;
    /// With link_time_optimization: LTO-IR that has been optimised already.
    bool gen_opt_lto = false;

    // ---- debugging -------------------------------------------------------------------------------------------------------

    /// Debug information; device code is not optimised unless device_code_optimize says so.
    bool debug = false;
    /// Line numbers for profilers and debuggers; debug has them anyway.
    bool lineinfo = false;
    bool device_code_optimize = false;

    // ---- optimisation and arithmetic -------------------------------------------------------------------------------------

    /// Each is one option of ptxas, e.g. "-v".
    std::vector<std::string> ptxas_options = {};
    /// Upper limit of registers for each thread.
    std::optional<int> max_register_count = {};
    /// Whether denormal numbers in single precision become zero.
    std::optional<bool> ftz = {};
    /// Whether square roots in single precision are rounded as IEEE 754 asks for.
    std::optional<bool> prec_sqrt = {};
    /// Whether divisions and reciprocals in single precision are rounded as IEEE 754 asks for.
    std::optional<bool> prec_div = {};
    /// Whether a product and a sum become one fused operation.
    std::optional<bool> fma = {};
    /// Fast, less exact functions, and the same of ftz, prec_sqrt, prec_div and fma, as far as these say nothing else.
    bool use_fast_math = false;
    bool extra_device_vectorization = false;
    /// Pointers that are parameters of kernels never point to the same memory.
    bool restrict = false;
    std::optional<OptimizationInfo> optimization_info = {};
    std::optional<OfastCompile> ofast_compile = {};
    /// Threads that optimise, 0 for one of each processor.
    std::optional<int> split_compile = {};
    /// Seed of the names that the compiler makes up, any text (12.9).
    std::string frandom_seed = {};

    // ---- preprocessor and language ---------------------------------------------------------------------------------------

    std::vector<Macro> define_macro = {};
    /// Names, which are undefined after define_macro has defined its own.
    std::vector<std::string> undefine_macro = {};
    /// Folders that are searched for headers, in this order.
    std::vector<std::string> include_path = {};
    /// Headers that are included before the first line.
    std::vector<std::string> pre_include = {};
    /// The folder of name is not searched.
    bool no_source_include = false;
    /// Whether the compiler brings its own std::move and std::forward.
    std::optional<bool> builtin_move_forward = {};
    /// Whether the compiler brings its own std::initializer_list.
    std::optional<bool> builtin_initializer_list = {};
    /// What has no execution space of its own is of the device.
    bool device_as_default_execution_space = false;
    /// The type __int128.
    bool device_int128 = false;
    /// The type __float128 (12.8), on sm_100 and newer.
    bool device_float128 = false;
    /// Checks the syntax and generates no code (12.4).
    bool fdevice_syntax_only = false;
    /// Leaves out what small programs seldom need, to compile them faster (12.4).
    bool minimal = false;
    /// Folder that NVRTC fills with its own CUDA and C++ headers, unless they are there, and searches (13.3). Each release needs
    /// a folder of its own.
    std::string use_bundled_headers = {};

    // ---- messages --------------------------------------------------------------------------------------------------------

    bool disable_warnings = false;
    bool no_display_error_number = false;
    /// Numbers of diagnostics that are errors, are not shown, or are warnings.
    std::vector<int> diag_error = {};
    std::vector<int> diag_suppress = {};
    std::vector<int> diag_warn = {};
    /// Whether diagnostics leave out the line of source that they are about (12.1).
    std::optional<bool> brief_diagnostics = {};
    /// File that gets a table of the time that each phase took, comma-separated; "-" puts it into the log (12.1).
    std::string time = {};
    /// File, named without its ".json", that gets a trace of the compiler's time (12.8; before 13.0 with no dot in the name).
    std::string fdevice_time_trace = {};

    // ---- what is kept from one compilation to the next -------------------------------------------------------------------

    /// The compiler keeps nothing in its own cache on disk, nor takes anything from it (12.9).
    bool no_cache = false;
    /// Precompiled headers (12.8): made and used as the compiler sees fit, or made in one file, or used from one. One of the three.
    bool pch = false;
    std::string create_pch = {};
    std::string use_pch = {};
    /// Folder of these files (12.8).
    std::string pch_dir = {};
    /// Whether the log says why a precompiled header was not used (12.8).
    std::optional<bool> pch_verbose = {};
    /// Whether the log says that one was made or used (12.8).
    std::optional<bool> pch_messages = {};
    /// Whether templates are instantiated before a header is precompiled (12.8).
    std::optional<bool> instantiate_templates_in_pch = {};

    // ----------------------------------------------------------------------------------------------------------------------

    /// Throws std::invalid_argument, which names option, value and what is allowed, for a value that no compiler takes and for
    /// options that contradict each other.
    void check() const;

    /// The flags of nvrtcCompileProgram that the options become, in the order of the members: always the same for the same
    /// options. Checks first; given a version of NVRTC, 12080 for 12.8, it refuses by name also what that one does not have.
    std::vector<std::string> nvrtc_flags(int nvrtc_version = 0) const;

    /// The options of the Linker that turns PTX into a cubin. std::invalid_argument names an option that PTX has no use for.
    LinkerOptions linker_options() const;

    /// Whether the options make the compiler read files that the source does not name: then the result depends on more than
    /// source and options. What the source itself includes is the caller's to know.
    bool reads_files() const noexcept;

    /// Whether the options make the compiler write files: then a result from a cache is not all that was asked for.
    bool writes_files() const noexcept;
};

/// The flags as one line for messages and keys: different flags give different lines. Checks nothing; `name` is not a flag.
std::string to_string(const ProgramOptions& options);

}  // namespace cubind
