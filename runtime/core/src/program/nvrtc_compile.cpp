// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/compile_job.hpp"

#include <cubind/check.hpp>
#include <cubind/nvrtc/precompiled_header.hpp>
#include <cubind/nvrtc/query.hpp>
#include <cubind/nvrtc/strings.hpp>

#include "program/nvrtc_program.hpp"

namespace cubind::detail {
namespace {

bool asks_for_pch(const ProgramOptions& options) {
    return options.pch || !options.create_pch.empty();
}

PchStatus pch_status(nvrtc::nvrtcResult result) {
    if (result == nvrtc::NVRTC_SUCCESS) return PchStatus::created;
    return result == nvrtc::NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED ? PchStatus::not_attempted : PchStatus::failed;
}

Compiled take(const NvrtcProgram& program) {
    return {program.code(), program.symbol_mapping(), program.log(), std::nullopt};
}

}  // namespace

int nvrtc_version() {
    const auto [major, minor] = check(nvrtc::nvrtcVersion());
    return 1000 * major + 10 * minor;
}

Compiled compile_with_nvrtc(const CompileJob& job) {
    std::size_t larger_heap = 0;
    Compiled compiled;
    {
        NvrtcProgram program(job);
        program.compile();
        compiled = take(program);
        if (!asks_for_pch(job.options)) return compiled;
        const nvrtc::nvrtcResult result = program.pch_result();
        compiled.pch_status = pch_status(result);
        if (result == nvrtc::NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED) larger_heap = program.pch_heap_size_required();
    }
    if (larger_heap == 0) return compiled;
    // The heap grows only between compiles; with it the header is made in a second one.
    check(nvrtc::nvrtcSetPCHHeapSize(larger_heap));
    NvrtcProgram again(job);
    again.compile();
    compiled = take(again);
    compiled.pch_status = pch_status(again.pch_result());
    return compiled;
}

}  // namespace cubind::detail
