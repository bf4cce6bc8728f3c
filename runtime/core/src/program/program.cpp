// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program.hpp>

#include <cubind/core/linker.hpp>
#include <cubind/driver/version.hpp>
#include <cubind/error.hpp>
#include <cubind/nvjitlink/loading.hpp>
#include <cubind/nvrtc/loading.hpp>

#include "options/current_architecture.hpp"
#include "program/cached_compile.hpp"
#include "program/program_checks.hpp"
#include "program/toolkit_headers.hpp"
#include "support/whole_file.hpp"

namespace cubind {
namespace {

const std::vector<std::string>& headers_of_toolkit() {
    static const std::vector<std::string> folders = detail::toolkit_headers(library_path(nvrtc::library()));
    return folders;
}

// With a cache, and nothing that stands for files, none is read but the toolkit's.
std::vector<std::string> flags_of(ProgramOptions options, const CompileOptions& compile, int version) {
    options.no_source_include |= compile.cache != nullptr && compile.extra_digest.empty();
    std::vector<std::string> flags = options.nvrtc_flags(version);
    if (!options.use_bundled_headers.empty()) return flags;
    for (const std::string& folder : headers_of_toolkit()) flags.push_back(std::string("--include-path=").append(folder));
    return flags;
}

/// What every compile depends on, beside what is in flags.
CacheKeyBuilder key_parts(const std::string& source, CodeType target, const ProgramOptions& options, const CompileOptions& compile,
                          const char* compiler, int version) {
    CacheKeyBuilder parts;
    parts.add("compiler", compiler).add("version", std::to_string(version)).add("target", to_string(target));
    parts.add("source", source).add("name", options.name).add("digest", compile.extra_digest);
    return parts;
}

int linker_version(LinkerBackend backend) {
    return backend == LinkerBackend::nvjitlink ? version(nvjitlink::library()) : driver::cuDriverGetVersion().value;
}

detail::Compiled compile_cpp(const std::string& source, const std::vector<IncludedHeader>& headers, CodeType target, ProgramOptions options,
                             const CompileOptions& compile) {
    options.link_time_optimization = target == CodeType::lto_ir;
    const int version = detail::nvrtc_version();
    const detail::CompileJob job{source, headers, compile.name_expressions, target, options, flags_of(options, compile, version),
                                 compile.cache != nullptr};
    if (compile.cache == nullptr) return detail::compile_with_nvrtc(job);
    CacheKeyBuilder parts = key_parts(source, target, options, compile, "NVRTC", version);
    for (const std::string& flag : job.flags) parts.add("flag", flag);
    for (const IncludedHeader& header : headers) parts.add("header name", header.name).add("header text", header.text);
    for (const std::string& expression : compile.name_expressions) parts.add("name expression", expression);
    return detail::compile_cached(*compile.cache, parts.key(), [&] { return detail::compile_with_nvrtc(job); });
}

detail::Compiled compile_ptx(const std::string& source, CodeType target, const ProgramOptions& options, const CompileOptions& compile) {
    Linker linker({ObjectCode::from_bytes(CodeType::ptx, source, {.name = options.name})}, options.linker_options());
    const auto link = [&] {
        const ObjectCode code = linker.link(target);
        return detail::Compiled{code.shared_bytes(), {}, linker.info_log(), {}};
    };
    if (compile.cache == nullptr) return link();
    CacheKeyBuilder parts = key_parts(source, target, options, compile, to_string(linker.backend()), linker_version(linker.backend()));
    for (const std::string& flag : options.linker_options().nvjitlink_flags()) parts.add("flag", flag);
    return detail::compile_cached(*compile.cache, parts.key(), link);
}

}  // namespace

const char* to_string(CompilerBackend backend) noexcept {
    return backend == CompilerBackend::nvrtc ? "NVRTC" : backend == CompilerBackend::nvjitlink ? "nvJitLink" : "driver";
}

Program::Program(std::string source, ProgramOptions options, std::vector<IncludedHeader> headers)
    : Program(SourceKind::cpp, std::move(source), std::move(options), std::move(headers)) {}

Program::Program(SourceKind kind, std::string source, ProgramOptions options, std::vector<IncludedHeader> headers)
    : kind_(kind), source_(std::move(source)), options_(std::move(options)), headers_(std::move(headers)) {
    if (source_.ends_with('\0')) source_.pop_back();  // as NVRTC ends PTX
    detail::check_program(kind_, source_, options_, headers_);
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
    pch_status_.reset();
    ProgramOptions options = options_;
    if (options.arch.empty()) options.arch = detail::current_architecture("ProgramOptions");
    detail::check_program(kind_, source_, options, headers_);
    detail::check_compile(kind_, target, options, compile);
    try {
        detail::Compiled compiled = kind_ == SourceKind::cpp ? compile_cpp(source_, headers_, target, options, compile)
                                                             : compile_ptx(source_, target, options, compile);
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

}  // namespace cubind
