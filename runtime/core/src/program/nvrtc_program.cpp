// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/nvrtc_program.hpp"

#include <cubind/nvrtc/compilation.hpp>
#include <cubind/nvrtc/precompiled_header.hpp>
#include <cubind/nvrtc/strings.hpp>

#include "program/compile_error.hpp"
#include "support/driver.hpp"
#include "support/cleanup.hpp"
#include "support/log_text.hpp"

namespace cubind::detail {

using namespace nvrtc;

template <class Result>
auto NvrtcProgram::check_step(const Result& result) const {
    return check_as(result, [&](const Error& failure) { return compile_error(failure, job_, log()); });
}

template <class Size, class Get>
Bytes NvrtcProgram::get(Size size_of, Get get) const {
    const std::size_t size = check_step(size_of(program_));
    const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
    check_step(get(program_, reinterpret_cast<char*>(bytes.get())));
    return Bytes(bytes, size);
}

NvrtcProgram::NvrtcProgram(const CompileJob& job) : job_(job) {
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
    if (!destroyed.ok()) report_cleanup_failure("end a program of NVRTC", to_string(destroyed.status));
}

void NvrtcProgram::compile() {
    for (const std::string& expression : job_.name_expressions) check_step(nvrtcAddNameExpression(program_, expression.c_str()));
    std::vector<const char*> flags;
    for (const std::string& flag : job_.flags) flags.push_back(flag.c_str());
    check_step(nvrtcCompileProgram(program_, static_cast<int>(flags.size()), flags.data()));
}

Bytes NvrtcProgram::code() const {
    switch (job_.target) {
        case CodeType::cubin: return get(nvrtcGetCUBINSize, nvrtcGetCUBIN);
        case CodeType::lto_ir: return get(nvrtcGetLTOIRSize, nvrtcGetLTOIR);
        default: break;
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

// It is for explaining; where there is none, things go on without.
std::string NvrtcProgram::log() const {
    if (program_ == nullptr) return {};
    const auto size = nvrtcGetProgramLogSize(program_);
    if (!size.ok() || size.value == 0) return {};
    std::string text(size.value, '\0');
    return nvrtcGetProgramLog(program_, text.data()).ok() ? trim_log(std::move(text)) : std::string();
}

nvrtcResult NvrtcProgram::pch_result() const {
    return nvrtcGetPCHCreateStatus(program_).status;
}

std::size_t NvrtcProgram::pch_heap_size_required() const {
    return check_step(nvrtcGetPCHHeapSizeRequired(program_));
}

}  // namespace cubind::detail
