// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/compile_job.hpp"

#include <cubind/detail/ptx_isa.hpp>
#include <cubind/nvrtc/query.hpp>

#include <algorithm>

#include "errors/log_text.hpp"
#include "program/options/architecture.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

std::vector<int> supported_architectures() {
    const auto count = nvrtc::nvrtcGetNumSupportedArchs();
    if (!count.ok() || count.value <= 0) return {};
    std::vector<int> all(static_cast<std::size_t>(count.value));
    if (!nvrtc::nvrtcGetSupportedArchs(all.data()).ok()) return {};
    return all;
}

}  // namespace

std::string advice_on_architecture(const std::string& name) {
    const auto architecture = parse_architecture(name);
    const std::vector<int> supported = supported_architectures();
    if (!architecture || supported.empty()) return {};
    const int requested = static_cast<int>(architecture->number);
    if (std::find(supported.begin(), supported.end(), requested) != supported.end()) return {};
    std::string text = ". NVRTC of CUDA ";
    text.append(release_text(nvrtc_version())).append(" does not support ").append(name).append("; it supports");
    for (std::size_t i = 0; i < supported.size(); ++i) text.append(i == 0 ? " " : ", ").append(std::to_string(supported[i]));
    if (requested > supported.back()) {
        text.append(". A device that is newer than all of these runs PTX: compile for compute_")
            .append(std::to_string(supported.back()));
        text.append(" to CodeType::ptx, or use a newer NVRTC");
    }
    return text;
}

CompileError compile_error(const Error& failure, const CompileJob& job, const std::string& advice, const std::string& log) {
    std::string text = "The program \"";
    text.append(job.options.name)
        .append("\" was not compiled to ")
        .append(to_string(job.target))
        .append(" for ")
        .append(job.options.arch.empty() ? "the default architecture of NVRTC" : job.options.arch);
    if (const std::string first = first_error(log); !first.empty()) text.append(": ").append(first);
    text.append(advice);
    return CompileError(failure, text, log);
}

}  // namespace CUBIND_NAMESPACE::detail
