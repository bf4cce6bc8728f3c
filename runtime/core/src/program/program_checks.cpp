// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/program_checks.hpp"

#include "errors/misuse.hpp"
#include "program/input_trust.hpp"
#include "program/program_flags.hpp"
#include "program/tile_assembly.hpp"

namespace CUBIND_NAMESPACE::detail {

const char* name_of(SourceKind kind) noexcept {
    switch (kind) {
        case SourceKind::cpp:
            return "C++";
        case SourceKind::ptx:
            return "PTX";
        case SourceKind::nvvm:
            return "NVVM IR";
        case SourceKind::tile_ir:
            break;
    }
    return "Tile IR";
}

bool is_binary(SourceKind kind) noexcept {
    return kind == SourceKind::nvvm || kind == SourceKind::tile_ir;
}

namespace {

void check_cpp(CodeType target, const ProgramOptions& options) {
    const bool is_code = target == CodeType::cubin || target == CodeType::ptx || target == CodeType::lto_ir;
    if (!is_code && target != CodeType::tile_ir) {
        throw_misuse("C++ is compiled to CodeType::cubin, ptx, lto_ir or tile_ir, but the target is ", to_string(target));
    }
    if (target == CodeType::tile_ir && !options.enable_tile)
        throw_misuse("the target is Tile IR, but ProgramOptions::enable_tile is not set");
    if (target == CodeType::cubin && options.enable_tile) check_tile_architecture(options.arch);
    if (target == CodeType::cubin && options.arch.starts_with("compute_")) {
        throw_misuse("ProgramOptions::arch is \"", options.arch,
                     "\", which is for PTX: a cubin needs a real architecture, such as sm_90");
    }
    if (target != CodeType::lto_ir && options.link_time_optimization) {
        throw_misuse("ProgramOptions::link_time_optimization is set, but the target is ", to_string(target),
                     ": it produces LTO-IR only, use compile(CodeType::lto_ir)");
    }
    if (options.fdevice_syntax_only)
        throw_misuse("ProgramOptions::fdevice_syntax_only is set: it generates no code, but compile() returns code");
}

void check_ptx(CodeType target) {
    if (target != CodeType::cubin) throw_misuse("PTX is compiled to CodeType::cubin, but the target is ", to_string(target));
}

void check_nvvm(CodeType target) {
    if (target != CodeType::cubin && target != CodeType::ptx && target != CodeType::lto_ir)
        throw_misuse("NVVM IR is compiled to CodeType::cubin, ptx or lto_ir, but the target is ", to_string(target));
}

void check_tile(CodeType target, const ProgramOptions& options) {
    if (target != CodeType::cubin) throw_misuse("Tile IR is compiled to CodeType::cubin, but the target is ", to_string(target));
    check_tile_architecture(options.arch);
}

void check_no_name_expressions(const char* language, const CompileOptions& compile) {
    if (compile.name_expressions.empty()) return;
    throw_misuse("CompileOptions::name_expressions has \"", compile.name_expressions.front(), "\", but the program is ", language,
                 ": pass symbols of kernels to ObjectCode::kernel()");
}

// A result from a cache does not write the files that a compilation would write. Bundled headers are written before.
void check_cache(const ProgramOptions& options, const CompileOptions& compile) {
    if (compile.cache == nullptr || !writes_files(options)) return;
    ProgramOptions others = options;
    others.use_bundled_headers.clear();
    if (!writes_files(others)) return;
    throw_misuse("a compilation with a cache must not write files, because a result from the cache writes none; options: ",
                 to_string(others));
}

void check_no_nvvm_options(SourceKind kind, const ProgramOptions& options) {
    if (!options.use_libdevice && options.extra_sources.empty()) return;
    throw_misuse("ProgramOptions::", options.use_libdevice ? "use_libdevice" : "extra_sources", " is set, but the program is ",
                 name_of(kind), ": the option is for NVVM IR");
}

}  // namespace

void check_program(SourceKind kind, const std::string& source, const ProgramOptions& options,
                   const std::vector<IncludedHeader>& headers) {
    if (source.empty()) throw_misuse("the source of a Program is empty");
    if (!is_binary(kind)) check_no_nul("the source", source);
    if (kind == SourceKind::tile_ir && !is_tile_ir(source))
        throw_misuse("the source of the Program \"", options.name, "\" is no Tile IR: its first bytes are other ones");
    options.check();
    if (kind == SourceKind::ptx) (void)options.linker_options();
    if (kind == SourceKind::nvvm) (void)nvvm_flags(options);
    if (kind == SourceKind::tile_ir) (void)tile_flags(options);
    if (kind != SourceKind::cpp && !headers.empty()) {
        throw_misuse(name_of(kind), " cannot include headers, but the header \"", headers.front().name, "\" was given");
    }
    if (kind != SourceKind::nvvm) check_no_nvvm_options(kind, options);
    for (const IncludedHeader& header : headers) {
        if (header.name.empty())
            throw_misuse("the name of a header is empty: it is the text between the quotes or brackets of #include");
        check_no_nul("a header's name", header.name);
        check_no_nul(std::string("the header \"").append(header.name).append("\""), header.text);
    }
}

void check_compile(SourceKind kind, CodeType target, const ProgramOptions& options, const CompileOptions& compile) {
    if (kind == SourceKind::cpp) check_cpp(target, options);
    if (kind == SourceKind::cpp) check_trusted_inputs(options);
    if (kind == SourceKind::ptx) check_ptx(target);
    if (kind == SourceKind::nvvm) check_nvvm(target);
    if (kind == SourceKind::tile_ir) check_tile(target, options);
    if (kind != SourceKind::cpp) check_no_name_expressions(name_of(kind), compile);
    for (const std::string& expression : compile.name_expressions) {
        if (expression.empty()) throw_misuse("a name expression is empty: it names a kernel in C++, such as \"saxpy<float>\"");
        check_no_nul("a name expression", expression);
    }
    check_cache(options, compile);
}

}  // namespace CUBIND_NAMESPACE::detail
