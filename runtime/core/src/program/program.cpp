// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/linker.hpp>
#include <cubind/core/program.hpp>
#include <cubind/error.hpp>
#include <cubind/nvrtc/loading.hpp>

#include "link/linker_flags.hpp"
#include "options/architecture.hpp"
#include "program/cached_compile.hpp"
#include "program/compile_key.hpp"
#include "program/program_flags.hpp"
#include "program/toolkit_headers.hpp"
#include "support/misuse.hpp"
#include "support/whole_file.hpp"

namespace CUBIND_NAMESPACE {
namespace {

// ---- checks --------------------------------------------------------------------------------------------------------------

void check_cpp(CodeType target, const ProgramOptions& options) {
    if (target != CodeType::cubin && target != CodeType::ptx && target != CodeType::lto_ir) {
        detail::throw_misuse("C++ is compiled to CodeType::cubin, ptx or lto_ir, but the target is ", to_string(target));
    }
    if (target == CodeType::cubin && options.arch.starts_with("compute_")) {
        detail::throw_misuse("ProgramOptions::arch is \"", options.arch,
                             "\", which is for PTX: a cubin needs a real architecture, such as sm_90");
    }
    if (target != CodeType::lto_ir && options.link_time_optimization) {
        detail::throw_misuse("ProgramOptions::link_time_optimization is set, but the target is ", to_string(target),
                             ": it produces LTO-IR only, use compile(CodeType::lto_ir)");
    }
    if (options.fdevice_syntax_only)
        detail::throw_misuse("ProgramOptions::fdevice_syntax_only is set: it generates no code, but compile() returns code");
}

void check_ptx(CodeType target, const CompileOptions& compile) {
    if (target != CodeType::cubin)
        detail::throw_misuse("PTX is compiled to CodeType::cubin, but the target is ", to_string(target));
    if (!compile.name_expressions.empty()) {
        detail::throw_misuse("CompileOptions::name_expressions has \"", compile.name_expressions.front(),
                             "\", but the program is PTX: pass symbols of "
                             "kernels to ObjectCode::kernel()");
    }
}

// A result from a cache does not write the files that a compilation would write.
void check_cache(const ProgramOptions& options, const CompileOptions& compile) {
    if (compile.cache == nullptr || !detail::writes_files(options)) return;
    detail::throw_misuse(
        "a compilation with a cache must not write files, because a result from the cache writes none; options: ",
        to_string(options));
}

// Checks a Program before any compiler is called.
void check_program(SourceKind kind, const std::string& source, const ProgramOptions& options,
                   const std::vector<IncludedHeader>& headers) {
    if (source.empty()) detail::throw_misuse("the source of a Program is empty");
    detail::check_no_nul("the source", source);
    options.check();
    if (kind == SourceKind::ptx) {
        (void)options.linker_options();
        if (!headers.empty())
            detail::throw_misuse("PTX cannot include headers, but the header \"", headers.front().name, "\" was given");
    }
    for (const IncludedHeader& header : headers) {
        if (header.name.empty())
            detail::throw_misuse("the name of a header is empty: it is the text between the quotes or brackets of #include");
        detail::check_no_nul("a header's name", header.name);
        detail::check_no_nul(std::string("the header \"").append(header.name).append("\""), header.text);
    }
}

// Checks a compilation. `options.arch` is not empty.
void check_compile(SourceKind kind, CodeType target, const ProgramOptions& options, const CompileOptions& compile) {
    if (kind == SourceKind::cpp) check_cpp(target, options);
    if (kind == SourceKind::ptx) check_ptx(target, compile);
    for (const std::string& expression : compile.name_expressions) {
        if (expression.empty())
            detail::throw_misuse("a name expression is empty: it names a kernel in C++, such as \"saxpy<float>\"");
        detail::check_no_nul("a name expression", expression);
    }
    check_cache(options, compile);
}

// ---- compilation ---------------------------------------------------------------------------------------------------------

const std::vector<std::string>& headers_of_toolkit() {
    static const std::vector<std::string> folders = detail::toolkit_headers(library_path(nvrtc::library()));
    return folders;
}

std::vector<std::string> flags_of(const ProgramOptions& options, int version) {
    std::vector<std::string> flags = detail::nvrtc_flags(options, version);
    if (!options.use_bundled_headers.empty()) return flags;
    for (const std::string& folder : headers_of_toolkit()) flags.push_back(std::string("--include-path=").append(folder));
    return flags;
}

/// Compiles with the cache if there is one and the key covers all inputs. If there is a cache but the key does not cover them,
/// sets `uncached_reason` and compiles without the cache.
detail::Compiled compile_with(ProgramCache* cache, const std::function<detail::CompileKey()>& key_of,
                              const std::function<detail::Compiled()>& compile, std::string& uncached_reason) {
    if (cache == nullptr) return compile();
    const detail::CompileKey key = key_of();
    uncached_reason = key.problem;
    if (!uncached_reason.empty()) return compile();
    return detail::compile_cached(*cache, key.key, compile, [&] { return key_of().key; });
}

detail::Compiled compile_cpp(const std::string& source, const std::vector<IncludedHeader>& headers, CodeType target,
                             ProgramOptions options, const CompileOptions& compile, std::string& uncached_reason) {
    options.link_time_optimization = target == CodeType::lto_ir;
    const int version = detail::nvrtc_version();
    const detail::CompileJob job{source, headers, compile.name_expressions, target, options, flags_of(options, version)};
    const auto key = [&] { return detail::cpp_key(detail::nvrtc_compiler(), job, headers_of_toolkit(), compile.extra_digest); };
    return compile_with(
        compile.cache, key, [&] { return detail::compile_with_nvrtc(job); }, uncached_reason);
}

detail::Compiled compile_ptx(const std::string& source, CodeType target, const ProgramOptions& options,
                             const CompileOptions& compile, std::string& uncached_reason) {
    Linker linker({ObjectCode::from_bytes(CodeType::ptx, source, {.name = options.name})}, options.linker_options());
    const LinkerBackend backend = linker.backend();  // link() may change linker.backend(), but must not change the key
    const auto link = [&] {
        const ObjectCode code = linker.link(CodeType::cubin);
        return detail::Compiled{code.shared_bytes(), {}, linker.info_log(), {}};
    };
    const auto key = [&] {
        const detail::CompileJob job{source, {}, {}, target, options, detail::nvjitlink_flags(options.linker_options())};
        return detail::ptx_key(detail::linking_compiler(backend), job, compile.extra_digest);
    };
    return compile_with(compile.cache, key, link, uncached_reason);
}

}  // namespace

// ---- Program -------------------------------------------------------------------------------------------------------------

const char* to_string(CompilerBackend backend) noexcept {
    return backend == CompilerBackend::nvrtc ? "NVRTC" : backend == CompilerBackend::nvjitlink ? "nvJitLink" : "driver";
}

Program::Program(std::string source, ProgramOptions options, std::vector<IncludedHeader> headers)
    : Program(SourceKind::cpp, std::move(source), std::move(options), std::move(headers)) {}

Program::Program(SourceKind kind, std::string source, ProgramOptions options, std::vector<IncludedHeader> headers)
    : kind_(kind), source_(std::move(source)), options_(std::move(options)), headers_(std::move(headers)) {
    if (source_.ends_with('\0')) source_.pop_back();  // PTX from NVRTC ends with NUL
    check_program(kind_, source_, options_, headers_);
}

Program Program::from_file(SourceKind kind, const std::string& path, ProgramOptions options) {
    if (options.name == ProgramOptions().name) options.name = path;
    return Program(kind, detail::read_whole_file(path, "Program::from_file"), std::move(options));
}

CompilerBackend Program::backend() const {
    if (kind_ == SourceKind::cpp) return CompilerBackend::nvrtc;
    return Linker::which_backend() == LinkerBackend::nvjitlink ? CompilerBackend::nvjitlink : CompilerBackend::driver;
}

ObjectCode Program::compile(CodeType target, const CompileOptions& compile) {
    log_.clear();
    uncached_reason_.clear();
    pch_status_ = PchStatus::none;
    ProgramOptions options = options_;
    if (options.arch.empty()) options.arch = detail::current_architecture("ProgramOptions");
    check_program(kind_, source_, options, headers_);
    check_compile(kind_, target, options, compile);
    if (target == CodeType::cubin && detail::is_architecture_of_simulated_device(options.arch)) target = CodeType::ptx;
    try {
        detail::Compiled compiled = kind_ == SourceKind::cpp
                                        ? compile_cpp(source_, headers_, target, options, compile, uncached_reason_)
                                        : compile_ptx(source_, target, options, compile, uncached_reason_);
        log_ = std::move(compiled.log);
        pch_status_ = compiled.pch_status;
        return ObjectCode::from_bytes(target, std::move(compiled.code), {options_.name, std::move(compiled.symbol_mapping)});
    } catch (const CompileError& error) {
        log_ = error.log();
        throw;
    } catch (const LinkError& error) {
        log_ = error.log();
        throw;
    }
}

}  // namespace CUBIND_NAMESPACE
