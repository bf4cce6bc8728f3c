// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/linker.hpp"

#include <algorithm>

#include "objects/module/code.hpp"

namespace CUBIND_NAMESPACE::sim {

Linker::Linker(CUlinkState own_handle, int release, unsigned count, const CUjit_option* options, void** values)
    : handle(own_handle),
      release_(release),
      options_(options, options + count),
      values_(values),
      initial_values_(values, values + count) {}

CUresult Linker::add(CUjitInputType type, std::string_view text, const Device& device) {
    const std::lock_guard lock(mutex_);
    if (is_complete_) return CUDA_ERROR_INVALID_VALUE;
    const CUresult status = add_input(type, text, device);
    write_logs();
    return status;
}

CUresult Linker::add_input(CUjitInputType type, std::string_view text, const Device& device) {
    const auto refuse = [this](CUresult status, std::string_view problem) {
        problem_.append(problem_.empty() ? "" : "\n").append(problem);
        return status;
    };
    if (type != CU_JIT_INPUT_PTX) return refuse(CUDA_ERROR_NOT_SUPPORTED, "a simulated device can link PTX only");
    Code code = read_ptx(text, release_);
    check_target(code, device);
    if (code.status != CUDA_SUCCESS) return refuse(code.status, code.problem);
    if (!code_.empty()) return refuse(CUDA_ERROR_NOT_SUPPORTED, "a simulated device can link a single input only");
    code_ = text.substr(0, text.find('\0'));
    return CUDA_SUCCESS;
}

CUresult Linker::complete(void** code, std::size_t& size) {
    const std::lock_guard lock(mutex_);
    if (is_complete_) return CUDA_ERROR_INVALID_HANDLE;
    is_complete_ = true;
    if (code_.empty()) code_ = ".version 5.0\n.target sm_50\n.address_size 64\n";
    write_logs();
    *code = code_.data();
    size = code_.size() + 1;
    return CUDA_SUCCESS;
}

void Linker::write_logs() {
    std::copy(initial_values_.begin(), initial_values_.end(), values_);
    JitOptions(static_cast<unsigned>(options_.size()), options_.data(), values_).write_outputs(problem_);
}

}  // namespace CUBIND_NAMESPACE::sim
