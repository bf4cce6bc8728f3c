// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/module/code.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A link, found by its handle, and the current context.
struct LinkerCheck {
    explicit LinkerCheck(CUlinkState handle) : status(context.status) {
        if (status != CUDA_SUCCESS) return;
        linker = machine().linkers.find(handle);
        if (linker == nullptr) status = CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    Linker* operator->() const noexcept { return linker.get(); }

    const CurrentCheck context;
    CUresult status;
    std::shared_ptr<Linker> linker;
};

bool is_input_type(CUjitInputType type) noexcept {
    return type < CU_JIT_NUM_INPUT_TYPES;
}

}  // namespace

extern "C" {

CUresult sim_cuLinkCreate_v2(unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut) {
    const Valid<CurrentCheck> context;
    if (stateOut == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = JitOptions(numOptions, options, optionValues).check()) return status;
    return write_output(stateOut, add_new(machine().linkers, machine().code_target(), numOptions, options, optionValues)->handle);
}

CUresult sim_cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut) {
    return sim_cuLinkCreate_v2(numOptions, options, optionValues, stateOut);
}

CUresult sim_cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t size, const char* name,
                              unsigned int numOptions, CUjit_option* options, void** optionValues) {
    const Valid<LinkerCheck> linker(state);
    if (data == nullptr || size == 0 || !is_input_type(type)) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = JitOptions(numOptions, options, optionValues).check()) return status;
    return linker->add(type, {static_cast<const char*>(data), size}, name, linker.context->device);
}

CUresult sim_cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t size, const char* name,
                           unsigned int numOptions, CUjit_option* options, void** optionValues) {
    return sim_cuLinkAddData_v2(state, type, data, size, name, numOptions, options, optionValues);
}

CUresult sim_cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions,
                              CUjit_option* options, void** optionValues) {
    const Valid<LinkerCheck> linker(state);
    if (path == nullptr || !is_input_type(type)) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = JitOptions(numOptions, options, optionValues).check()) return status;
    std::string text;
    const CUresult status = read_file(path, text);
    return status == CUDA_SUCCESS ? linker->add(type, text, path, linker.context->device) : status;
}

CUresult sim_cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions,
                           CUjit_option* options, void** optionValues) {
    return sim_cuLinkAddFile_v2(state, type, path, numOptions, options, optionValues);
}

CUresult sim_cuLinkComplete(CUlinkState state, void** cubinOut, std::size_t* sizeOut) {
    const Valid<LinkerCheck> linker(state);
    if (cubinOut == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::size_t size = 0;
    const CUresult status = linker->complete(cubinOut, size);
    if (status == CUDA_SUCCESS && sizeOut != nullptr) *sizeOut = size;
    return status;
}

CUresult sim_cuLinkDestroy(CUlinkState state) {
    const Valid<LinkerCheck> linker(state);
    return machine().linkers.remove(state) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
