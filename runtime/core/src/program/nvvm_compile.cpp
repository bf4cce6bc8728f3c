// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/nvvm/compilation.hpp>
#include <cubind/nvvm/strings.hpp>
#include <cubind/nvvm/types.hpp>

#include "calls/driver.hpp"
#include "errors/log_text.hpp"
#include "lifetime/cleanup.hpp"
#include "program/compile_job.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using namespace nvvm;

/// A program of libNVVM. Every function that fails throws CompileError with the log.
class NvvmProgram {
    template <class Result>
    auto check_step(const Result& result) const {
        return check_as(result, [&](const Error& failure) { return compile_error(failure, job_, {}, log()); });
    }

public:
    explicit NvvmProgram(const CompileJob& job) : job_(job) {
        // There is no log before there is a program.
        program_ = check_as(nvvmCreateProgram(), [&](const Error& failure) { return compile_error(failure, job_, {}, {}); });
    }
    NvvmProgram(const NvvmProgram&) = delete;
    NvvmProgram& operator=(const NvvmProgram&) = delete;
    ~NvvmProgram() {
        const auto destroyed = nvvmDestroyProgram(program_);
        if (!destroyed.ok()) report_cleanup_failure("destroy a program of libNVVM", to_string(destroyed.status));
    }

    void add(const std::string& name, const std::string& text) {
        check_step(nvvmAddModuleToProgram(program_, text.data(), text.size(), name.c_str()));
    }
    /// Adds a module of which only the used functions become part of the code.
    void add_library(const char* name, const std::string& text) {
        check_step(nvvmLazyAddModuleToProgram(program_, text.data(), text.size(), name));
    }
    void compile();
    Bytes code() const;
    /// Returns the log, or "" if it cannot be read.
    std::string log() const;

private:
    const CompileJob& job_;
    nvvmProgram program_ = nullptr;
};

void NvvmProgram::compile() {
    std::vector<const char*> flags;
    for (const std::string& flag : job_.flags) flags.push_back(flag.c_str());
    const int count = static_cast<int>(flags.size());
    // The compiler may crash on IR that is invalid.
    check_step(nvvmVerifyProgram(program_, count, flags.data()));
    check_step(nvvmCompileProgram(program_, count, flags.data()));
}

Bytes NvvmProgram::code() const {
    const std::size_t size = check_step(nvvmGetCompiledResultSize(program_));
    const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
    check_step(nvvmGetCompiledResult(program_, reinterpret_cast<char*>(bytes.get())));
    const bool has_end = size != 0 && job_.target == CodeType::ptx && bytes.get()[size - 1] == std::byte{0};
    return Bytes(bytes, size - (has_end ? 1 : 0));
}

std::string NvvmProgram::log() const {
    return read_log(program_, nvvmGetProgramLogSize, nvvmGetProgramLog);
}

}  // namespace

Compiled compile_with_nvvm(const CompileJob& job, const std::string& libdevice) {
    NvvmProgram program(job);
    program.add(job.options.name, job.source);
    for (const ExtraSource& each : job.options.extra_sources) program.add(each.name, each.text);
    if (!libdevice.empty()) program.add_library("libdevice", libdevice);
    program.compile();
    return {program.code(), {}, program.log(), PchStatus::none};
}

}  // namespace CUBIND_NAMESPACE::detail
