// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

struct LinkerOptions;

/// A macro that is defined before the first line of the source. The name of a macro with parameters has no spaces:
/// {"SQUARE(x)", "((x) * (x))"}.
struct Macro {
    std::string name;         ///< name, with the parameters
    std::string value = "1";  ///< replacement text
};

/// A module of NVVM IR that is linked to the source of a Program.
struct ExtraSource {
    std::string name;  ///< name in messages
    std::string text;  ///< NVVM IR as text or as bitcode
};

/// The degree to which the compiler trades speed of the code for a faster compilation.
enum class OfastCompile {
    off,  ///< no trade
    min,  ///< the smallest loss of speed (12.9)
    mid,  ///< between min and max (12.9)
    max,  ///< the fastest compilation (12.5)
};

/// The subject of remarks in the compiler's log.
enum class OptimizationInfo {
    none,      ///< no remarks
    inlining,  ///< functions that were inlined
};

/// The options of a Program. It is an aggregate. Its members have the names of cuda.core, and designated initializers must
/// follow their order here. Options that are not set have the compiler's defaults. Several threads may read one object.
///
///     Program program{source, {.arch = "sm_90", .std = "c++17", .define_macro = {{"BLOCK", "256"}, {"NDEBUG"}}}};
///
/// All options but those for NVVM IR apply to C++ (NVRTC). linker_options() returns those that apply to PTX. NVVM IR allows name,
/// arch, debug, lineinfo, device_code_optimize, numba_debug, ftz, prec_sqrt, prec_div, fma, extra_options, extra_sources and
/// use_libdevice (libNVVM). Tile IR allows name, arch, debug, lineinfo and extra_options (tileiras). A release in parentheses is
/// the first one whose NVRTC has the option. If no release is given, every release since 12.0 has the option.
struct CUBIND_EXPORT ProgramOptions {
    // ---- output ----------------------------------------------------------------------------------------------------------

    /// The name of the source in messages and debug information. The compiler searches the folder in the name for headers that
    /// are included with quotes. If the name has no folder, it searches the working directory.
    std::string name = "default_program";
    /// The architecture: "sm_90" for a cubin, "compute_90" for PTX only. The suffix "a" restricts the code to this
    /// architecture, "f" to its family (12.9). If empty, the Program uses the architecture of the current device, or of device
    /// 0 if no context is current.
    std::string arch = {};
    /// The language standard: "c++03", "c++11", "c++14", "c++17", "c++20" or "c++23" (13.3).
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
    /// Compiles Tile kernels (`__tile_global__`, <cuda_tile.h>) too (13.3), for devices of compute capability 8.0 and later. Then
    /// CodeType::tile_ir and cubin are the code of the Tile kernels, and ptx and lto_ir that of all other kernels. The standard
    /// is C++20 if `std` is empty.
    bool enable_tile = false;

    // ---- debugging -------------------------------------------------------------------------------------------------------

    /// Generates debug information. Device code is not optimized unless device_code_optimize is set.
    bool debug = false;
    /// Generates line numbers for profilers and debuggers; debug includes them.
    bool lineinfo = false;
    /// Optimizes device code even if debug is set.
    bool device_code_optimize = false;
    /// Generates the layout of debug information that Numba's debugging support expects (13.2); with debug. libNVVM has the
    /// option since 13.1, and an older one reports it in the log of the CompileError.
    bool numba_debug = false;

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
    /// Uses fast, less exact functions, and the fast values of ftz, prec_sqrt, prec_div and fma unless these options are set.
    bool use_fast_math = false;
    /// Enables additional vectorization of device code.
    bool extra_device_vectorization = false;
    /// Assumes that pointer parameters of kernels never point to the same memory.
    bool restrict = false;
    /// Adds remarks on this subject to the log.
    OptimizationInfo optimization_info = OptimizationInfo::none;
    /// Trades speed of the code for a faster compilation (12.5).
    OfastCompile ofast_compile = OfastCompile::off;
    /// The number of threads that optimize, 0 for one per processor.
    std::optional<int> split_compile = {};
    /// A text from which the compiler derives the names that it generates (12.9).
    std::string frandom_seed = {};

    // ---- preprocessor and language ---------------------------------------------------------------------------------------

    /// Macros that are defined before the first line of the source.
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
    /// Treats functions without an execution space as device functions.
    bool device_as_default_execution_space = false;
    /// Enables the type __int128.
    bool device_int128 = false;
    /// Enables the type __float128 (12.8), on sm_100 and newer.
    bool device_float128 = false;
    /// Checks the syntax and generates no code (12.4).
    bool fdevice_syntax_only = false;
    /// Omits features that small programs seldom need, to compile them faster (12.4).
    bool minimal = false;
    /// A folder to which NVRTC writes its CUDA and C++ headers unless they exist, and which it searches (13.3). Each release
    /// requires a separate folder, to which no other user can write.
    std::string use_bundled_headers = {};

    // ---- messages --------------------------------------------------------------------------------------------------------

    /// Suppresses all warnings.
    bool disable_warnings = false;
    /// Omits the numbers of diagnostics.
    bool no_display_error_number = false;
    /// Numbers of diagnostics that become errors.
    std::vector<int> diag_error = {};
    /// Numbers of diagnostics that are suppressed.
    std::vector<int> diag_suppress = {};
    /// Numbers of diagnostics that become warnings.
    std::vector<int> diag_warn = {};
    /// Whether diagnostics omit the source line that they refer to (12.1).
    std::optional<bool> brief_diagnostics = {};
    /// A file to which the compiler writes the time of each phase as comma-separated values; "-" for the log (12.1).
    std::string time = {};
    /// A file to which the compiler writes a trace of its time (12.8). Give its name without the suffix ".json". Before 13.0
    /// the name must not contain a dot.
    std::string fdevice_time_trace = {};

    // ---- caches and precompiled headers ----------------------------------------------------------------------------------

    /// Disables the compiler's own cache on disk (12.9).
    bool no_cache = false;
    /// Creates and uses precompiled headers automatically (12.8). At most one of pch, create_pch and use_pch may be set.
    bool pch = false;
    /// A file in which a precompiled header is created (12.8).
    std::string create_pch = {};
    /// A file with a precompiled header that is used (12.8). No other user can write it.
    std::string use_pch = {};
    /// The folder of the files of precompiled headers (12.8). If it is searched for them, no other user can write to it.
    std::string pch_dir = {};
    /// Whether the log states why a precompiled header was not used (12.8).
    std::optional<bool> pch_verbose = {};
    /// Whether the log states that a precompiled header was created or used (12.8).
    std::optional<bool> pch_messages = {};
    /// Whether templates are instantiated before a header is precompiled (12.8).
    std::optional<bool> instantiate_templates_in_pch = {};

    // ---- other options of the compiler -----------------------------------------------------------------------------------

    /// Options of NVRTC or libNVVM without a member here, one per element, such as "--modify-stack-limit=false". The compiler
    /// receives them unchanged after all others, and reports those that it does not know. They may name files, so a compilation
    /// with them uses a cache only if CompileOptions::extra_digest is set.
    std::vector<std::string> extra_options = {};

    // ---- NVVM IR ---------------------------------------------------------------------------------------------------------

    /// Modules that are linked to the source. If they define a symbol that the source defines, the compilation fails
    /// (nvvmAddModuleToProgram).
    std::vector<ExtraSource> extra_sources = {};
    /// Links the functions of libdevice, CUDA's library of mathematical functions, that the code calls. The file is found as
    /// locate(ArtifactKind::bitcode_library, "device") finds it (nvvmLazyAddModuleToProgram).
    bool use_libdevice = false;

    // ----------------------------------------------------------------------------------------------------------------------

    /// Throws std::invalid_argument for a value that no compiler accepts, and for options that contradict each other. The message
    /// names the option, the value and what is allowed.
    void check() const;

    /// Returns the options of the Linker that compiles PTX to a cubin. Throws std::invalid_argument, which names the option, for
    /// options that do not apply to PTX.
    [[nodiscard]] LinkerOptions linker_options() const;
};

/// Returns NVRTC's flags in one line, for messages and keys. Different flags give different lines. Checks nothing. `name` and the
/// options for NVVM IR are not flags of NVRTC.
[[nodiscard]] CUBIND_EXPORT std::string to_string(const ProgramOptions& options);

}  // namespace CUBIND_NAMESPACE
