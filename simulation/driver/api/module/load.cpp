// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/free_memory.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/module/code.hpp"
#include "objects/module/jit_options.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult load(CUmodule* module, const void* image, std::size_t size, const JitOptions& options) {
    const Valid<CurrentCheck> context;
    if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = options.check()) return status;
    Code code = read_code(image, size, machine().code_target());
    check_code(code, context->device);
    options.write_outputs(code.problem);
    if (const CUresult status = status_of_use(code)) return status;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    std::shared_ptr<Module> loaded;
    const CUresult status = load_module(machine().code, owner, code.image, loaded);
    return status != CUDA_SUCCESS ? status : write_output(module, loaded->handle);
}

}  // namespace

extern "C" {

CUresult sim_cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions, CUjit_option* options,
                                void** optionValues) {
    return load(module, image, unknown_size, {numOptions, options, optionValues});
}

CUresult sim_cuModuleLoadData(CUmodule* module, const void* image) {
    return load(module, image, unknown_size, {0, nullptr, nullptr});
}

CUresult sim_cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
    return load(module, fatCubin, unknown_size, {0, nullptr, nullptr});
}

CUresult sim_cuModuleLoad(CUmodule* module, const char* fname) {
    const Valid<CurrentCheck> context;
    if (module == nullptr || fname == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::string text;
    if (const CUresult status = read_file(fname, text)) return status;
    return load(module, text.data(), text.size(), {0, nullptr, nullptr});
}

CUresult sim_cuModuleUnload(CUmodule hmod) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto module = machine().code.modules.find(hmod);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (const CUresult status = module->context->device.fault()) return status;
    if (module->is_library_module) return CUDA_ERROR_NOT_PERMITTED;
    wait_for_device(module->context->device);
    if (machine().code.modules.remove(hmod) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    module->unload();
    return CUDA_SUCCESS;
}

// PTX is loaded eagerly, but programs see the driver's default mode.
CUresult sim_cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    if (const CUresult status = check_initialized()) return status;
    return write_output(mode, CU_MODULE_LAZY_LOADING);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
