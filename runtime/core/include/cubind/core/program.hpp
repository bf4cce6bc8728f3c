// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/object_code.hpp>
#include <cubind/core/program_options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cubind {

class ProgramCache;

/// What a Program is written in.
enum class SourceKind { cpp, ptx };

/// What compiles a Program: NVRTC takes C++; PTX is for what links, see Linker.
enum class CompilerBackend { nvrtc, nvjitlink, driver };

/// "NVRTC", "nvJitLink" or "driver".
const char* to_string(CompilerBackend backend) noexcept;

/// What became of the precompiled header that the options asked for.
enum class PchStatus { not_attempted, created, failed };

/// A header that the source may include by its name, without a file.
struct IncludedHeader {
    std::string name;
    std::string text;
};

/// What a compile is given besides the target.
struct CompileOptions {
    /// Kernels and variables, as C++ names them: "saxpy<float>", "&counter". Templates are instantiated by it, and
    /// ObjectCode::kernel() knows the names.
    std::vector<std::string> name_expressions = {};
    /// Where the result is looked up first and kept. The key holds all that the compiler is given, its version and the target. Files in
    /// the folder of ProgramOptions::name are not searched then, since a change of theirs would go unnoticed.
    ProgramCache* cache = nullptr;
    /// With a cache: stands for the content of files that the compile reads, e.g. a hash of them or their version. With it, options
    /// that read files may be used, and the folder of ProgramOptions::name is searched.
    std::string extra_digest = {};
};

/// Source code and how to compile it. A value; nothing happens before compile(), and each compile() is a new one. For one thread at a
/// time.
///
///     Program program{source, {.arch = "sm_90", .std = "c++17"}};
///     ObjectCode code = program.compile(CodeType::cubin, {.name_expressions = {"saxpy<float>"}});
///     Kernel saxpy = code.kernel("saxpy<float>");
///
/// The headers of the CUDA toolkit are found by themselves where they lie beside NVRTC or CUDA_PATH or CUDA_HOME names a toolkit.
class Program {
public:
    /// C++. Throws std::invalid_argument for an empty source, for NULs and for options that contradict each other.
    explicit Program(std::string source, ProgramOptions options = {}, std::vector<IncludedHeader> headers = {});
    Program(SourceKind kind, std::string source, ProgramOptions options = {}, std::vector<IncludedHeader> headers = {});

    /// Of a file. Unless the options name the program, it has the file's path as its name, so that it includes what lies beside it.
    /// Throws LoadError for a file that is missing, unreadable or empty.
    static Program from_file(SourceKind kind, const std::string& path, ProgramOptions options = {});

    /// C++ becomes a cubin, PTX or LTO-IR, PTX a cubin; for the architecture of the options, else for that of the current device.
    /// Throws CompileError with the compiler's log for C++ and LinkError for PTX, and std::invalid_argument for what cannot be
    /// (nvrtcCompileProgram, nvrtcGetLoweredName; Linker).
    ObjectCode compile(CodeType target, const CompileOptions& options = {});

    /// What the latest compile() wrote: warnings of one that succeeded, also if it came from a cache, and errors of one that failed.
    const std::string& log() const noexcept { return log_; }

    /// Of the latest compile(); nothing where no precompiled header was asked for, or a cache had the result.
    std::optional<PchStatus> pch_status() const noexcept { return pch_status_; }

    SourceKind source_kind() const noexcept { return kind_; }
    CompilerBackend backend() const;
    const ProgramOptions& options() const noexcept { return options_; }

private:
    SourceKind kind_;
    std::string source_;
    ProgramOptions options_;
    std::vector<IncludedHeader> headers_;
    std::string log_;
    std::optional<PchStatus> pch_status_;
};

}  // namespace cubind
