// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/program_checks.hpp"

#include <cubind/core/linker_options.hpp>

#include "support/misuse.hpp"

namespace cubind::detail {
namespace {

// Compilers take text up to its first NUL.
void check_text(const std::string& what, const std::string& text) {
    const std::size_t nul = text.find('\0');
    if (nul != std::string::npos) throw_misuse(what, " has a NUL at byte ", nul, " of ", text.size(), ": a compiler would take only what is before it");
}

void check_cpp(CodeType target, const ProgramOptions& options) {
    if (target != CodeType::cubin && target != CodeType::ptx && target != CodeType::lto_ir) {
        throw_misuse("C++ becomes CodeType::cubin, ptx or lto_ir, not code of the kind ", to_string(target));
    }
    if (target == CodeType::cubin && options.arch.starts_with("compute_")) {
        throw_misuse("ProgramOptions::arch is \"", options.arch, "\", which is PTX alone: a cubin is for an architecture \"sm_...\"");
    }
    if (target != CodeType::lto_ir && options.link_time_optimization) {
        throw_misuse("ProgramOptions::link_time_optimization is set, and the target is ", to_string(target),
                     ": with it there is LTO-IR only, compile(CodeType::lto_ir)");
    }
    if (options.fdevice_syntax_only) throw_misuse("ProgramOptions::fdevice_syntax_only generates no code, which compile() would have to return");
}

void check_ptx(CodeType target, const CompileOptions& compile) {
    if (target != CodeType::cubin) throw_misuse("PTX becomes CodeType::cubin, not code of the kind ", to_string(target));
    if (!compile.name_expressions.empty()) {
        throw_misuse("name expressions are for C++: in PTX kernels go by their symbols, and \"", compile.name_expressions.front(), "\" is to be given to kernel()");
    }
}

// A cache must not give back what a compile of today would not make, nor leave out what it would have done.
void check_cache(const ProgramOptions& options, const CompileOptions& compile) {
    if (compile.cache == nullptr) return;
    if (options.writes_files()) {
        throw_misuse("no cache for a compile that writes files, which a result from a cache does not: ", to_string(options));
    }
    if (options.reads_files() && compile.extra_digest.empty()) {
        throw_misuse("no cache for a compile that reads files whose content the key does not have, unless CompileOptions::extra_digest "
                     "stands for it: ", to_string(options));
    }
}

}  // namespace

void check_program(SourceKind kind, const std::string& source, const ProgramOptions& options, const std::vector<IncludedHeader>& headers) {
    if (source.empty()) throw_misuse("a Program without a source: the text is empty");
    check_text("the source", source);
    options.check();
    if (kind == SourceKind::ptx) {
        (void)options.linker_options();
        if (!headers.empty()) throw_misuse("PTX includes nothing, and \"", headers.front().name, "\" was given as a header");
    }
    for (const IncludedHeader& header : headers) {
        if (header.name.empty()) throw_misuse("a header without a name: it is what #include has between its quotes or brackets");
        check_text("a header's name", header.name);
        check_text(std::string("the header \"").append(header.name).append("\""), header.text);
    }
}

void check_compile(SourceKind kind, CodeType target, const ProgramOptions& options, const CompileOptions& compile) {
    if (kind == SourceKind::cpp) check_cpp(target, options);
    if (kind == SourceKind::ptx) check_ptx(target, compile);
    for (const std::string& expression : compile.name_expressions) {
        if (expression.empty()) throw_misuse("a name expression is empty: it names a kernel as C++ does, \"saxpy<float>\"");
        check_text("a name expression", expression);
    }
    check_cache(options, compile);
}

}  // namespace cubind::detail
