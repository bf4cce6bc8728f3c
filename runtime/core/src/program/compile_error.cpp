// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/compile_error.hpp"

#include <cubind/nvrtc/query.hpp>

#include <algorithm>

#include "options/architecture.hpp"
#include "support/log_text.hpp"

namespace cubind::detail {
namespace {

std::vector<int> supported_architectures() {
    const auto count = nvrtc::nvrtcGetNumSupportedArchs();
    if (!count.ok() || count.value <= 0) return {};
    std::vector<int> all(static_cast<std::size_t>(count.value));
    if (!nvrtc::nvrtcGetSupportedArchs(all.data()).ok()) return {};
    return all;
}

/// What to do about an architecture that this NVRTC does not know; empty where it does.
std::string unknown_architecture(const std::string& name) {
    const auto architecture = parse_architecture(name);
    const std::vector<int> known = supported_architectures();
    if (!architecture || known.empty()) return {};
    const int wanted = static_cast<int>(architecture->number);
    if (std::find(known.begin(), known.end(), wanted) != known.end()) return {};
    const int version = nvrtc_version();
    std::string text = ". NVRTC of CUDA ";
    text.append(std::to_string(version / 1000)).append(".").append(std::to_string(version % 1000 / 10)).append(" does not know ").append(name);
    text.append("; it knows");
    for (std::size_t i = 0; i < known.size(); ++i) text.append(i == 0 ? " " : ", ").append(std::to_string(known[i]));
    if (wanted > known.back()) {
        text.append(". A device that is newer than all of them runs PTX: compile for compute_").append(std::to_string(known.back()));
        text.append(" to CodeType::ptx, or use a newer NVRTC");
    }
    return text;
}

}  // namespace

CompileError compile_error(const Error& failure, const CompileJob& job, const std::string& log) {
    std::string text = "The program \"";
    text.append(job.options.name).append("\" did not become ").append(to_string(job.target)).append(" for ").append(job.options.arch);
    if (const std::string first = first_error(log); !first.empty()) text.append(": ").append(first);
    text.append(unknown_architecture(job.options.arch));
    if (job.has_cache && log.find("cannot open source file") != std::string::npos) {
        text.append(". With a cache, no header is looked for in the folder of the program: give it as an IncludedHeader, or an extra_digest");
    }
    return CompileError(failure, text, log);
}

}  // namespace cubind::detail
