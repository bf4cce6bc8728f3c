// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/linker.hpp"

#include <algorithm>

#include "ptx/text/syntax.hpp"
#include "shared/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Returns the reason why an input other than PTX and fat binaries is refused. Drivers have refused LTO-IR since CUDA 12.0.
const char* problem_of(CUjitInputType type) {
    switch (type) {
        case CU_JIT_INPUT_CUBIN:
            return "the input is machine code of a GPU; a simulated device links PTX, and fat binaries that have PTX";
        case CU_JIT_INPUT_NVVM:
            return "the input is LTO-IR, which the driver's linker does not accept; link it to PTX with nvJitLink (-lto -ptx)";
        default:
            return "the input is host code, which a simulated device cannot link; it links PTX, and fat binaries that have PTX";
    }
}

}  // namespace

Linker::Linker(CUlinkState own_handle, const CodeTarget& target, unsigned count, const CUjit_option* options, void** values)
    : handle(own_handle),
      target_{target.release, target.capability, true},
      options_(options, options + count),
      values_(values),
      initial_values_(values, values + count) {}

CUresult Linker::add(CUjitInputType type, std::string_view bytes, const char* name, const Device& device) {
    const std::lock_guard lock(mutex_);
    if (is_complete_) return CUDA_ERROR_INVALID_VALUE;
    const CUresult status = add_input(type, bytes, name, device);
    write_logs();
    return status;
}

CUresult Linker::refuse(CUresult status, std::string_view problem) {
    problem_.append(problem_.empty() ? "" : "\n").append(problem);
    return status;
}

CUresult Linker::add_input(CUjitInputType type, std::string_view bytes, const char* name, const Device& device) {
    if (type == CU_JIT_INPUT_LIBRARY && is_device_runtime(bytes)) {
        has_device_runtime_ = true;
        return CUDA_SUCCESS;
    }
    // With cubind-sim, compilers hand out PTX instead of machine code.
    if (type == CU_JIT_INPUT_CUBIN && ptx::looks_like_ptx(bytes)) type = CU_JIT_INPUT_PTX;
    if (type == CU_JIT_INPUT_NVVM) return refuse(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, problem_of(type));
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) return refuse(CUDA_ERROR_NOT_SUPPORTED, problem_of(type));
    Code code = type == CU_JIT_INPUT_PTX ? read_ptx(bytes, target_.release) : read_code(bytes.data(), bytes.size(), target_);
    if (device.allows_undefined_functions) externals_ = ptx::Externals::may_be_missing;
    check_code(code, device, ptx::Externals::may_be_missing);
    if (code.image != nullptr && code.image->is_machine_code())
        return refuse(CUDA_ERROR_NOT_SUPPORTED, problem_of(CU_JIT_INPUT_CUBIN));
    if (code.status != CUDA_SUCCESS) return refuse(code.status, code.problem);
    const std::string number = std::to_string(inputs_.size() + 1);
    inputs_.push_back({name != nullptr && *name != '\0' ? name : "input " + number, code.image});
    return CUDA_SUCCESS;
}

// A single input stays as it is, so that lines in messages are those of the input.
CUresult Linker::complete(void** code, std::size_t& size) {
    const std::lock_guard lock(mutex_);
    if (is_complete_) return CUDA_ERROR_INVALID_HANDLE;
    is_complete_ = true;
    ptx::LinkResult linked;
    if (inputs_.empty()) linked.text = ".version 5.0\n.target sm_50\n.address_size 64\n";
    if (!inputs_.empty()) linked = ptx::link(inputs_, has_device_runtime_, externals_);
    const CUresult status = linked.problem.empty() ? CUDA_SUCCESS : refuse(CUDA_ERROR_UNKNOWN, linked.problem);
    write_logs();
    if (status != CUDA_SUCCESS) return status;
    code_ = std::move(linked.text);
    if (inputs_.size() == 1) {
        code_ = inputs_.front().image->code->text;
        if (has_device_runtime_) code_ += '\n' + ptx::device_runtime_line();
    }
    *code = code_.data();
    size = code_.size() + 1;
    return CUDA_SUCCESS;
}

void Linker::write_logs() {
    std::copy(initial_values_.begin(), initial_values_.end(), values_);
    JitOptions(static_cast<unsigned>(options_.size()), options_.data(), values_).write_outputs(problem_);
}

}  // namespace CUBIND_NAMESPACE::sim
