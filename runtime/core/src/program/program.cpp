// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/error.hpp>
#include <cubind/find.hpp>
#include <cubind/nvrtc/loading.hpp>

#include <algorithm>

#include "errors/missing_file.hpp"
#include "errors/misuse.hpp"
#include "files/replacement_file.hpp"
#include "files/whole_file.hpp"
#include "program/cached_compile.hpp"
#include "program/compile_key.hpp"
#include "program/constant_value.hpp"
#include "program/evaluation_source.hpp"
#include "program/header_advice.hpp"
#include "program/link/linker_flags.hpp"
#include "program/nvrtc_headers.hpp"
#include "program/options/architecture.hpp"
#include "program/program_checks.hpp"
#include "program/program_flags.hpp"
#include "program/tile_assembly.hpp"

namespace CUBIND_NAMESPACE {
namespace {

// ---- compilation ---------------------------------------------------------------------------------------------------------

std::vector<std::string> flags_of(const ProgramOptions& options, int version, const detail::ToolkitHeaders& headers) {
    std::vector<std::string> flags = detail::nvrtc_flags(options, version);
    if (!options.use_bundled_headers.empty()) return flags;
    for (const std::string& folder : headers.folders) flags.push_back(std::string("--include-path=").append(folder));
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
    std::shared_ptr<const detail::ToolkitHeaders> chosen;
    if (compile.cache != nullptr && !options.use_bundled_headers.empty())
        chosen = detail::chosen_bundled_headers(options, version);
    const auto compile_once = [&] {
        const auto toolkit = chosen != nullptr ? chosen : detail::headers_of_nvrtc(version);
        const detail::CompileJob job{source, headers, compile.name_expressions,
                                     target, options, flags_of(options, version, *toolkit)};
        const auto key = [&] { return detail::cpp_key(detail::nvrtc_compiler(), job, toolkit->folders, compile.extra_digest); };
        const auto advice = [&](const std::string& log) { return detail::advice_on_headers(*toolkit, version, log); };
        return compile_with(
            compile.cache, key, [&] { return detail::compile_with_nvrtc(job, advice); }, uncached_reason);
    };
    try {
        return compile_once();
    } catch (const CompileError& error) {
        if (chosen != nullptr || !options.use_bundled_headers.empty() || !detail::complete_headers(version, error.log())) throw;
    }
    return compile_once();
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

std::string libdevice_of(const ProgramOptions& options) {
    if (!options.use_libdevice) return {};
    const Location file = locate(ArtifactKind::bitcode_library, "device");
    if (!file.ok()) detail::throw_missing_file("driver", "ProgramOptions::use_libdevice", file.message);
    return detail::read_whole_file(file.path, "ProgramOptions::use_libdevice");
}

// Compiles to PTX or LTO-IR.
detail::Compiled compile_nvvm(const std::string& source, CodeType target, ProgramOptions options, const CompileOptions& compile,
                              std::string& uncached_reason) {
    options.link_time_optimization = target == CodeType::lto_ir;
    const std::string libdevice = libdevice_of(options);
    const detail::CompileJob job{source, {}, {}, target, options, detail::nvvm_flags(options)};
    const auto key = [&] { return detail::nvvm_key(detail::nvvm_compiler(), job, libdevice, compile.extra_digest); };
    return compile_with(
        compile.cache, key, [&] { return detail::compile_with_nvvm(job, libdevice); }, uncached_reason);
}

// Returns the logs of two steps, the first of which may have said nothing.
std::string joined(const std::string& first, const std::string& second) {
    if (first.empty() || second.empty()) return first + second;
    return first + "\n" + second;
}

// Compiles to machine code through PTX, because libNVVM generates no machine code.
detail::Compiled compile_nvvm_to_cubin(const std::string& source, const ProgramOptions& options, const CompileOptions& compile,
                                       std::string& uncached_reason) {
    const detail::Compiled ptx = compile_nvvm(source, CodeType::ptx, options, compile, uncached_reason);
    const ProgramOptions linked{.name = options.name, .arch = options.arch, .debug = options.debug, .lineinfo = options.lineinfo};
    detail::Compiled cubin = compile_ptx(std::string(reinterpret_cast<const char*>(ptx.code.data()), ptx.code.size()),
                                         CodeType::cubin, linked, compile, uncached_reason);
    cubin.log = joined(ptx.log, cubin.log);
    return cubin;
}

detail::Compiled compile_tile_ir(const std::string& source, const ProgramOptions& options, const CompileOptions& compile,
                                 std::string& uncached_reason) {
    const detail::TileAssembler assembler = detail::find_tile_assembler();
    const detail::CompileJob job{source, {}, {}, CodeType::cubin, options, detail::tile_flags(options)};
    const auto key = [&] { return detail::ptx_key(detail::tile_compiler(assembler), job, compile.extra_digest); };
    return compile_with(
        compile.cache, key, [&] { return detail::assemble_tile_ir(assembler, job); }, uncached_reason);
}

// Compiles to machine code through Tile IR, because NVRTC generates no machine code of Tile kernels.
detail::Compiled compile_tile_to_cubin(const std::string& source, const std::vector<IncludedHeader>& headers,
                                       const ProgramOptions& options, const CompileOptions& compile,
                                       std::string& uncached_reason) {
    detail::Compiled tile = compile_cpp(source, headers, CodeType::tile_ir, options, compile, uncached_reason);
    const ProgramOptions assembled{
        .name = options.name, .arch = options.arch, .debug = options.debug, .lineinfo = options.lineinfo};
    detail::Compiled cubin = compile_tile_ir(std::string(reinterpret_cast<const char*>(tile.code.data()), tile.code.size()),
                                             assembled, compile, uncached_reason);
    cubin.log = joined(tile.log, cubin.log);
    cubin.symbol_mapping = std::move(tile.symbol_mapping);
    return cubin;
}

detail::Compiled compile_program(SourceKind kind, const std::string& source, const std::vector<IncludedHeader>& headers,
                                 CodeType target, const ProgramOptions& options, const CompileOptions& compile,
                                 std::string& uncached_reason) {
    if (kind == SourceKind::cpp && target == CodeType::cubin && options.enable_tile)
        return compile_tile_to_cubin(source, headers, options, compile, uncached_reason);
    if (kind == SourceKind::cpp) return compile_cpp(source, headers, target, options, compile, uncached_reason);
    if (kind == SourceKind::tile_ir) return compile_tile_ir(source, options, compile, uncached_reason);
    if (kind == SourceKind::ptx) return compile_ptx(source, target, options, compile, uncached_reason);
    if (target == CodeType::cubin) return compile_nvvm_to_cubin(source, options, compile, uncached_reason);
    return compile_nvvm(source, target, options, compile, uncached_reason);
}

/// Compiles, and stores the log and the status of the precompiled header, or the log of an error.
template <class Compile>
detail::Compiled record_outcome(std::string& log, PchStatus& pch_status, const Compile& compile) {
    try {
        detail::Compiled compiled = compile();
        log = std::move(compiled.log);
        pch_status = compiled.pch_status;
        return compiled;
    } catch (const CompileError& error) {
        log = error.log();
        throw;
    } catch (const LinkError& error) {
        log = error.log();
        throw;
    }
}

// ---- evaluation ----------------------------------------------------------------------------------------------------------

void check_evaluation(SourceKind kind, const ProgramOptions& options, std::span<const std::string> expressions) {
    if (expressions.empty()) return;
    if (kind != SourceKind::cpp)
        detail::throw_misuse("only a program in C++ can evaluate expressions, but this one is ", detail::name_of(kind));
    if (options.std == "c++03")
        detail::throw_misuse("ProgramOptions::std is \"c++03\", but constant expressions need c++11 or newer");
    for (const std::string& expression : expressions) {
        if (expression.empty()) detail::throw_misuse("an expression is empty: it is C++ such as \"sizeof(int)\"");
        detail::check_no_nul("an expression", expression);
    }
}

/// Adds the declarations that evaluation_source() appends to the name expressions.
CompileOptions with_declarations(CompileOptions compile) {
    for (std::size_t i = 0; i < compile.constants.size(); ++i) compile.name_expressions.push_back(detail::declaration_name(i));
    return compile;
}

/// Removes the symbols of the declarations from the mapping, and returns the constants that they contain.
ConstantMapping take_constants(SymbolMapping& symbols, const std::vector<std::string>& expressions, const std::string& program,
                               const std::string& log) {
    ConstantMapping constants;
    for (const std::string& expression : expressions) {
        const std::string name = detail::declaration_name(constants.size());
        const auto found = std::find_if(symbols.begin(), symbols.end(), [&](const auto& each) { return each.first == name; });
        const auto value = found == symbols.end() ? std::nullopt : detail::constant_in_symbol(found->second);
        if (!value)
            detail::throw_evaluation_error("Program::compile", program, expression, "has no value in the output of NVRTC", log);
        symbols.erase(found);
        constants.emplace_back(expression, *value);
    }
    return constants;
}

}  // namespace

// ---- Program -------------------------------------------------------------------------------------------------------------

const char* to_string(CompilerBackend backend) noexcept {
    switch (backend) {
        case CompilerBackend::nvrtc:
            return "NVRTC";
        case CompilerBackend::nvjitlink:
            return "nvJitLink";
        case CompilerBackend::nvvm:
            return "libNVVM";
        case CompilerBackend::tileiras:
            return "tileiras";
        case CompilerBackend::driver:
            break;
    }
    return "driver";
}

Program::Program(std::string source, ProgramOptions options, std::vector<IncludedHeader> headers)
    : Program(SourceKind::cpp, std::move(source), std::move(options), std::move(headers)) {}

Program::Program(SourceKind kind, std::string source, ProgramOptions options, std::vector<IncludedHeader> headers)
    : kind_(kind), source_(std::move(source)), options_(std::move(options)), headers_(std::move(headers)) {
    if (!detail::is_binary(kind_) && source_.ends_with('\0')) source_.pop_back();  // PTX from NVRTC ends with NUL
    // It selects the compiler of a cubin.
    for (const char* const tile : {"--enable-tile", "-enable-tile"})
        options_.enable_tile |= std::erase(options_.extra_options, tile) > 0;
    detail::check_program(kind_, source_, options_, headers_);
}

Program Program::from_file(SourceKind kind, const std::string& path, ProgramOptions options) {
    if (options.name == ProgramOptions().name) options.name = path;
    return Program(kind, detail::read_whole_file(path, "Program::from_file"), std::move(options));
}

void Program::save_source(const std::string& path) {
    detail::check_program(kind_, source_, options_,
                          headers_);  // a program that was moved from would replace the file by an empty one
    detail::replace_file(path, std::as_bytes(std::span(source_)), "Program::save_source");
    options_.name = path;
}

CompilerBackend Program::backend() const {
    if (kind_ == SourceKind::cpp) return CompilerBackend::nvrtc;
    if (kind_ == SourceKind::nvvm) return CompilerBackend::nvvm;
    if (kind_ == SourceKind::tile_ir) return CompilerBackend::tileiras;
    return Linker::which_backend() == LinkerBackend::nvjitlink ? CompilerBackend::nvjitlink : CompilerBackend::driver;
}

void Program::forget_outcome() noexcept {
    log_.clear();
    uncached_reason_.clear();
    pch_status_ = PchStatus::none;
}

ObjectCode Program::compile_checked(CodeType target, const ProgramOptions& options, const CompileOptions& compile) {
    check_evaluation(kind_, options, compile.constants);
    detail::check_compile(kind_, target, options, compile);
    const bool is_tile = kind_ == SourceKind::tile_ir || options.enable_tile;  // there is no PTX of Tile kernels
    if (target == CodeType::cubin && !is_tile && detail::is_architecture_of_simulated_device(options.arch))
        target = CodeType::ptx;
    const bool has_constants = !compile.constants.empty();
    const std::string extended = has_constants ? detail::evaluation_source(source_, compile.constants) : std::string();
    const CompileOptions request = has_constants ? with_declarations(compile) : compile;
    detail::Compiled compiled = record_outcome(log_, pch_status_, [&] {
        return compile_program(kind_, has_constants ? extended : source_, headers_, target, options, request, uncached_reason_);
    });
    ConstantMapping constants = take_constants(compiled.symbol_mapping, compile.constants, options_.name, log_);
    return ObjectCode::from_bytes(target, std::move(compiled.code),
                                  {options_.name, std::move(compiled.symbol_mapping), std::move(constants)});
}

ObjectCode Program::compile(CodeType target, const CompileOptions& compile) {
    forget_outcome();
    ProgramOptions options = options_;
    if (options.arch.empty()) options.arch = detail::current_architecture("ProgramOptions");
    detail::check_program(kind_, source_, options, headers_);
    return compile_checked(target, options, compile);
}

std::vector<std::uint64_t> Program::evaluate_bits(std::span<const std::string> expressions,
                                                  std::span<const detail::ConstantType> types, CompileOptions compile) {
    forget_outcome();
    if (!compile.constants.empty())
        detail::throw_misuse("CompileOptions::constants has \"", compile.constants.front(),
                             "\", but evaluate() compiles no code: pass the expression to evaluate_all()");
    ProgramOptions options = options_;
    options.link_time_optimization = options.gen_opt_lto = options.fdevice_syntax_only = false;
    compile.constants.assign(expressions.begin(), expressions.end());
    const ObjectCode code = compile_checked(CodeType::ptx, options, compile);
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const EvaluatedConstant& constant = code.constants()[i].second;
        values.push_back(detail::required_bits(constant, types[i], "Program::evaluate", options_.name, expressions[i], log_));
    }
    return values;
}

}  // namespace CUBIND_NAMESPACE
