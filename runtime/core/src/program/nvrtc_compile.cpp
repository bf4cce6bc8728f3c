// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/nvrtc/compilation.hpp>
#include <cubind/nvrtc/precompiled_header.hpp>
#include <cubind/nvrtc/query.hpp>
#include <cubind/nvrtc/strings.hpp>
#include <cubind/nvrtc/types.hpp>

#include "calls/driver.hpp"
#include "errors/log_text.hpp"
#include "lifetime/cleanup.hpp"
#include "program/compile_job.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using namespace nvrtc;

/// A program of NVRTC. Every function that fails throws CompileError with the log.
class NvrtcProgram {
public:
    using Advice = std::function<std::string(const std::string& log)>;

    NvrtcProgram(const CompileJob& job, const Advice& advice);
    NvrtcProgram(const NvrtcProgram&) = delete;
    NvrtcProgram& operator=(const NvrtcProgram&) = delete;
    ~NvrtcProgram();

    void compile();

    /// Returns the code of the job's target.
    Bytes code() const;
    SymbolMapping symbol_mapping() const;
    /// Returns the log, or "" if it cannot be read. A compilation succeeds even if its log is missing.
    std::string log() const;

    /// Returns the status of the precompiled header.
    nvrtc::nvrtcResult pch_result() const;
    /// Returns the size of the heap that the creation of a precompiled header needs, if the heap was too small.
    std::size_t pch_heap_size_required() const;

private:
    template <class Result>
    auto check_step(const Result& result) const;
    template <class Size, class Get>
    Bytes get(Size size_of, Get get) const;

    const CompileJob& job_;
    const Advice& advice_;
    nvrtc::nvrtcProgram program_ = nullptr;
};

template <class Result>
auto NvrtcProgram::check_step(const Result& result) const {
    return check_as(result, [&](const Error& failure) {
        const std::string text = log();
        return compile_error(failure, job_, advice_(text).append(advice_on_architecture(job_.options.arch)), text);
    });
}

template <class Size, class Get>
Bytes NvrtcProgram::get(Size size_of, Get get) const {
    const std::size_t size = check_step(size_of(program_));
    const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
    check_step(get(program_, reinterpret_cast<char*>(bytes.get())));
    return Bytes(bytes, size);
}

NvrtcProgram::NvrtcProgram(const CompileJob& job, const Advice& advice) : job_(job), advice_(advice) {
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const IncludedHeader& header : job.headers) {
        names.push_back(header.name.c_str());
        texts.push_back(header.text.c_str());
    }
    program_ = check_step(nvrtcCreateProgram(job.source.c_str(), job.options.name.empty() ? nullptr : job.options.name.c_str(),
                                             static_cast<int>(names.size()), texts.data(), names.data()));
}

NvrtcProgram::~NvrtcProgram() {
    const auto destroyed = nvrtcDestroyProgram(program_);
    if (!destroyed.ok()) report_cleanup_failure("destroy a program of NVRTC", to_string(destroyed.status));
}

void NvrtcProgram::compile() {
    for (const std::string& expression : job_.name_expressions) check_step(nvrtcAddNameExpression(program_, expression.c_str()));
    std::vector<const char*> flags;
    for (const std::string& flag : job_.flags) flags.push_back(flag.c_str());
    check_step(nvrtcCompileProgram(program_, static_cast<int>(flags.size()), flags.data()));
}

Bytes NvrtcProgram::code() const {
    switch (job_.target) {
        case CodeType::cubin:
            return get(nvrtcGetCUBINSize, nvrtcGetCUBIN);
        case CodeType::lto_ir:
            return get(nvrtcGetLTOIRSize, nvrtcGetLTOIR);
        case CodeType::tile_ir:
            return get(nvrtcGetTileIRSize, nvrtcGetTileIR);
        default:
            break;
    }
    const Bytes text = get(nvrtcGetPTXSize, nvrtcGetPTX);
    const bool has_end = !text.empty() && text.span().back() == std::byte{0};
    return Bytes::copy_of(text.data(), text.size() - (has_end ? 1 : 0));
}

SymbolMapping NvrtcProgram::symbol_mapping() const {
    SymbolMapping mapping;
    for (const std::string& expression : job_.name_expressions) {
        mapping.emplace_back(expression, check_step(nvrtcGetLoweredName(program_, expression.c_str())));
    }
    return mapping;
}

std::string NvrtcProgram::log() const {
    return read_log(program_, nvrtcGetProgramLogSize, nvrtcGetProgramLog);
}

nvrtcResult NvrtcProgram::pch_result() const {
    return nvrtcGetPCHCreateStatus(program_).status;
}

std::size_t NvrtcProgram::pch_heap_size_required() const {
    return check_step(nvrtcGetPCHHeapSizeRequired(program_));
}

bool creates_pch(const ProgramOptions& options) {
    return options.pch || !options.create_pch.empty();
}

PchStatus pch_status(nvrtc::nvrtcResult result) {
    if (result == nvrtc::NVRTC_SUCCESS) return PchStatus::created;
    return result == nvrtc::NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED ? PchStatus::not_attempted : PchStatus::failed;
}

Compiled result_of(const NvrtcProgram& program) {
    return {program.code(), program.symbol_mapping(), program.log(), PchStatus::none};
}

}  // namespace

int nvrtc_version() {
    const auto [major, minor] = check(nvrtcVersion());
    return 1000 * major + 10 * minor;
}

Compiled compile_with_nvrtc(const CompileJob& job, const std::function<std::string(const std::string& log)>& advice) {
    std::size_t larger_heap = 0;
    Compiled compiled;
    {
        NvrtcProgram program(job, advice);
        program.compile();
        compiled = result_of(program);
        if (!creates_pch(job.options)) return compiled;
        const nvrtcResult result = program.pch_result();
        compiled.pch_status = pch_status(result);
        if (result == NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED) larger_heap = program.pch_heap_size_required();
    }
    if (larger_heap == 0) return compiled;
    // The heap can grow only between compilations, so a second compilation creates the header.
    check(nvrtcSetPCHHeapSize(larger_heap));
    NvrtcProgram again(job, advice);
    again.compile();
    compiled = result_of(again);
    compiled.pch_status = pch_status(again.pch_result());
    return compiled;
}

}  // namespace CUBIND_NAMESPACE::detail
