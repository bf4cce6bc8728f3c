// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/detail/constant_type.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/program/program_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

class ProgramCache;

/// The language of a Program.
enum class SourceKind {
    cpp,      ///< CUDA C++
    ptx,      ///< PTX
    nvvm,     ///< NVVM IR, NVIDIA's form of LLVM IR, as text or as bitcode
    tile_ir,  ///< Tile IR as bytecode, NVIDIA's intermediate code of Tile kernels
};

/// The library that compiles a Program. PTX is compiled by the library that links, see Linker::which_backend().
enum class CompilerBackend {
    nvrtc,      ///< NVRTC, for C++
    nvjitlink,  ///< nvJitLink, for PTX
    driver,     ///< the driver, for PTX if nvJitLink is not used
    nvvm,       ///< libNVVM, for NVVM IR
    tileiras,   ///< the program tileiras, for Tile IR
};

/// Returns "NVRTC", "nvJitLink", "driver", "libNVVM" or "tileiras".
[[nodiscard]] CUBIND_EXPORT const char* to_string(CompilerBackend backend) noexcept;

/// The result of a request to create a precompiled header.
enum class PchStatus {
    none,           ///< there was no request, or the code is from a cache
    not_attempted,  ///< the compiler did not try to create it
    created,        ///< the compiler created it
    failed,         ///< the compiler failed to create it
};

/// A header that the source can include by its name. It needs no file.
struct IncludedHeader {
    std::string name;  ///< name in the `#include` directive
    std::string text;  ///< content of the header
};

/// The input of a compilation besides the source, its options and the target.
struct CompileOptions {
    /// C++ expressions that name kernels and variables, such as "saxpy<float>" and "&counter". The compiler instantiates the
    /// templates that they name, and ObjectCode::kernel() accepts them.
    std::vector<std::string> name_expressions = {};
    /// Constant expressions of C++, such as "sizeof(Header)", whose values ObjectCode::constant() returns; see
    /// Program::evaluate() for what they can be. The compiler computes them in the same compilation, and the code is the same as
    /// without them.
    std::vector<std::string> constants = {};
    /// The cache that may have the result, and that stores a new result; nullptr for none. The key covers the whole input,
    /// including the content of each file that the source can include, the builds of the compiler's libraries, and the target.
    /// A compilation with an input that cannot be a part of the key does not use the cache; see Program::uncached_reason().
    ProgramCache* cache = nullptr;
    /// A text that identifies the inputs that cubind does not find itself, such as a hash of files whose names are macros in
    /// `#include` directives. It becomes a part of the key. With it, such inputs do not prevent the use of the cache.
    std::string extra_digest = {};
};

/// Source code and its compiler options. A value; each call of compile() is a new compilation. Only one thread at a time may use
/// it.
///
///     Program program{source, {.arch = "sm_90", .std = "c++17"}};
///     ObjectCode code = program.compile(CodeType::cubin, {.name_expressions = {"saxpy<float>"}});
///     Kernel saxpy = code.kernel("saxpy<float>");
///
/// The headers of the CUDA toolkit are found without an include path if they are beside NVRTC, or if CUDA_PATH or CUDA_HOME names
/// a toolkit, or in /usr/local/cuda if its release is NVRTC's. If one is missing, NVRTC 13.3 and later installs the headers that
/// it contains in the user's cache, `$XDG_CACHE_HOME/cubind/headers`.
class CUBIND_EXPORT Program {
public:
    /// Creates a program from C++ source. Compiles nothing. Throws std::invalid_argument for an empty source, for texts with NULs
    /// and for options that contradict each other.
    explicit Program(std::string source, ProgramOptions options = {}, std::vector<IncludedHeader> headers = {});
    /// Creates a program from source in this language. PTX, NVVM IR and Tile IR allow fewer options and no headers. libNVVM ends
    /// the process (exit status 1) when it compiles a module whose `target datalayout` it cannot parse: compile IR of unknown
    /// origin in a process of its own.
    Program(SourceKind kind, std::string source, ProgramOptions options = {}, std::vector<IncludedHeader> headers = {});

    /// Creates a program from a file. Unless the options name the program, its name is the path, so that it can include files
    /// beside it. Throws LoadError for a file that is missing, unreadable, empty, or no regular file, such as a pipe or a device.
    [[nodiscard]] static Program from_file(SourceKind kind, const std::string& path, ProgramOptions options = {});

    /// Writes the source to a file, and makes the path the name of the program. Debuggers and profilers then show the source of
    /// the kernels, if the options have debug or lineinfo and the path is absolute. The source includes files beside that file,
    /// and the name is a part of the key in a cache. Replaces a regular file, so that a reader finds the old or the new content.
    /// Throws std::system_error if the file cannot be written, and std::invalid_argument after a move; the name is unchanged
    /// then.
    void save_source(const std::string& path);

    /// Compiles C++ and NVVM IR to a cubin, PTX or LTO-IR, PTX and Tile IR to a cubin, and C++ with Tile kernels to Tile IR or a
    /// cubin (nvrtcCompileProgram, nvrtcGetLoweredName; nvvmVerifyProgram, nvvmCompileProgram; Linker; tileiras). NVVM IR becomes
    /// a cubin in two steps, through PTX. A link of LTO-IR removes the kernels of NVVM IR that `llvm.used` does not list. The
    /// code is for the architecture in the options, or for the current device if the options state no architecture. A simulated
    /// device runs PTX only: if the current device is simulated, a cubin for it becomes PTX, and ObjectCode::kind() returns
    /// CodeType::ptx. Throws CompileError for C++ and NVVM IR, LinkError for PTX, each with the compiler's log, and
    /// std::invalid_argument for combinations that are not possible.
    [[nodiscard]] ObjectCode compile(CodeType target, const CompileOptions& options = {});

    /// Returns the value of a constant expression of C++ device code, such as "sizeof(Header)", "offsetof(Header, length)" or
    /// "Tile<float>::width". The expression follows the last line of the source, and can use everything that the source declares.
    /// `offsetof` is defined unless the source defines it. The compiler computes the value (nvrtcCompileProgram); no driver and
    /// no GPU are needed. The architecture is that of the options; if they state none, it is the default of NVRTC, even if a
    /// device is current. The whole source is compiled, so request several values in one call of evaluate_all(), and values that
    /// belong to compiled code by CompileOptions::constants, which costs no compilation of its own. A cache stores the result.
    /// log(), uncached_reason() and pch_status() are set as by compile().
    ///
    /// `T` is bool, an arithmetic type of the host or an enumeration of the host. The value is exact. Throws CompileError with
    /// the log for an expression that is not constant, that has no arithmetic or enumeration type, or whose value `T` cannot
    /// represent, e.g. 3.5 as int, 300 as unsigned char, and 0.1 (a double) as float. An integer is never the result of a
    /// floating-point expression. Throws std::invalid_argument for an empty expression, for a source that is not C++, and for the
    /// standard C++03.
    ///
    ///     const auto size = program.evaluate<std::size_t>("sizeof(Header)");
    template <detail::ConstantValue T>
    [[nodiscard]] T evaluate(const std::string& expression, const CompileOptions& options = {}) {
        return std::get<0>(evaluate_all<T>({expression}, options));
    }

    /// Returns the values of several constant expressions, which are compiled together; see evaluate(). The types have the order
    /// of the expressions.
    ///
    ///     const auto [size, offset] = program.evaluate_all<int, int>({"sizeof(Header)", "offsetof(Header, length)"});
    template <detail::ConstantValue... T>
    requires(sizeof...(T) > 0)
        [[nodiscard]] std::tuple<T...> evaluate_all(const std::array<std::string, sizeof...(T)>& expressions,
                                                    const CompileOptions& options = {}) {
        constexpr detail::ConstantType types[] = {detail::ConstantType::of<T>()...};
        const std::vector<std::uint64_t> bits = evaluate_bits(expressions, types, options);
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return std::tuple<T...>(detail::value_of_bits<T>(bits[i])...);
        }
        (std::index_sequence_for<T...>());
    }

    /// Returns the output of the latest compile(): errors if it failed, otherwise warnings. A result from a cache includes its
    /// warnings.
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

    /// Returns why the latest compile() did not use its cache: the input that cannot be a part of the key. Returns an empty
    /// string if compile() used the cache or received none.
    [[nodiscard]] const std::string& uncached_reason() const noexcept { return uncached_reason_; }

    /// Returns the status of the precompiled header of the latest compile().
    [[nodiscard]] PchStatus pch_status() const noexcept { return pch_status_; }

    /// Returns the language of the source.
    [[nodiscard]] SourceKind source_kind() const noexcept { return kind_; }
    /// Returns the library that compiles this program.
    [[nodiscard]] CompilerBackend backend() const;
    /// Returns the options that the program was constructed with.
    [[nodiscard]] const ProgramOptions& options() const noexcept { return options_; }

private:
    std::vector<std::uint64_t> evaluate_bits(std::span<const std::string> expressions,
                                             std::span<const detail::ConstantType> types, CompileOptions options);
    ObjectCode compile_checked(CodeType target, const ProgramOptions& options, const CompileOptions& compile);

    void forget_outcome() noexcept;

    SourceKind kind_;
    std::string source_;
    ProgramOptions options_;
    std::vector<IncludedHeader> headers_;
    std::string log_;
    std::string uncached_reason_;
    PchStatus pch_status_ = PchStatus::none;
};

}  // namespace CUBIND_NAMESPACE
