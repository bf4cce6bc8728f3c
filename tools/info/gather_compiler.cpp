// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/toolkit_headers.hpp>
#include <cubind/nvrtc/compilation.hpp>
#include <cubind/nvrtc/query.hpp>
#include <cubind/nvrtc/strings.hpp>
#include <cubind/ptx_version.hpp>

#include "gather.hpp"

namespace cubind::info {
namespace {

constexpr const char* empty_kernel = "extern \"C\" __global__ void empty() {}\n";

std::string failure_text(const char* function, nvrtc::nvrtcResult status) {
    return std::string(function) + " returned " + nvrtc::to_string(status) + " (" + std::to_string(static_cast<int>(status)) +
           ")";
}

// Returns NVRTC's log of a program that it did not compile, on one line.
std::string program_log(nvrtc::nvrtcProgram program) {
    const auto [status, size] = nvrtc::nvrtcGetProgramLogSize(program);
    if (status != nvrtc::NVRTC_SUCCESS || size < 2) return "";
    std::string log(size, '\0');
    if (!nvrtc::nvrtcGetProgramLog(program, log.data()).ok()) return "";
    log.resize(log.find('\0') != std::string::npos ? log.find('\0') : log.size());
    while (!log.empty() && log.back() == '\n') log.pop_back();
    for (char& c : log) c = c == '\n' ? ' ' : c;
    return log.empty() ? "" : ": " + log;
}

// Returns the PTX of a compiled program. On failure, returns an empty string and sets `problem`.
std::string program_ptx(nvrtc::nvrtcProgram program, std::string& problem) {
    const auto [status, size] = nvrtc::nvrtcGetPTXSize(program);
    std::string ptx(status == nvrtc::NVRTC_SUCCESS ? size : 0, '\0');
    const nvrtc::nvrtcResult written = ptx.empty() ? status : nvrtc::nvrtcGetPTX(program, ptx.data()).status;
    if (written == nvrtc::NVRTC_SUCCESS) return ptx;
    problem = failure_text(ptx.empty() ? "nvrtcGetPTXSize" : "nvrtcGetPTX", written);
    return "";
}

void measure_ptx_isa(CompilerFacts& facts) {
    const auto [status, program] = nvrtc::nvrtcCreateProgram(empty_kernel, "empty.cu", 0, nullptr, nullptr);
    if (status != nvrtc::NVRTC_SUCCESS) {
        facts.problem = failure_text("nvrtcCreateProgram", status);
        return;
    }
    const nvrtc::nvrtcResult compiled = nvrtc::nvrtcCompileProgram(program, 0, nullptr).status;
    if (compiled != nvrtc::NVRTC_SUCCESS) {
        facts.problem = failure_text("nvrtcCompileProgram", compiled) + program_log(program);
    } else {
        const std::string ptx = program_ptx(program, facts.problem);
        if (const auto version = ptx_version(ptx)) facts.ptx_isa = 1000 * version->major + 10 * version->minor;
        if (facts.ptx_isa == 0 && facts.problem.empty()) facts.problem = "NVRTC's output has no .version directive";
    }
    static_cast<void>(nvrtc::nvrtcDestroyProgram(program));
}

}  // namespace

CompilerFacts gather_compiler(const LibraryFacts& library) {
    CompilerFacts facts;
    if (!library.found) return facts;
    measure_ptx_isa(facts);
    const detail::ToolkitHeaders headers = detail::toolkit_headers(library.path, library.version);
    facts.headers = headers.release;
    if (!headers.folders.empty()) facts.headers_path = headers.folders.front();
    if (!headers.refused.empty()) facts.refused_headers = headers.refused.front();
    const auto [status, count] = nvrtc::nvrtcGetNumSupportedArchs();
    if (status == nvrtc::NVRTC_SUCCESS && count > 0) {
        facts.architectures.resize(static_cast<std::size_t>(count));
        if (!nvrtc::nvrtcGetSupportedArchs(facts.architectures.data()).ok()) facts.architectures.clear();
    }
    return facts;
}

}  // namespace cubind::info
