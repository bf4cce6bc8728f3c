// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/module/contents.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A module, found by its handle. Requires no context.
struct ModuleCheck {
    explicit ModuleCheck(CUmodule handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        module = machine().code.modules.find(handle);
        status = module != nullptr ? module->context->device.fault() : CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    Module* operator->() const noexcept { return module.get(); }
    Module& operator*() const noexcept { return *module; }

    CUresult status;
    std::shared_ptr<Module> module;
};

}  // namespace

extern "C" {

CUresult sim_cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
    const Valid<ModuleCheck> module(hmod);
    if (hfunc == nullptr || name == nullptr || *name == '\0') return CUDA_ERROR_INVALID_VALUE;
    const Function* const function = module->find_function(name);
    return function != nullptr ? write_output(hfunc, function->handle) : CUDA_ERROR_NOT_FOUND;
}

CUresult sim_cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
    const Valid<ModuleCheck> module(mod);
    return write_output(count, static_cast<unsigned>(module->functions().size()));
}

CUresult sim_cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod) {
    const Valid<ModuleCheck> module(mod);
    return write_handles(functions, numFunctions, module->functions());
}

CUresult sim_cuModuleGetGlobal_v2(CUdeviceptr* dptr, std::size_t* bytes, CUmodule hmod, const char* name) {
    const Valid<ModuleCheck> module(hmod);
    if (name != nullptr && module->find_function(name) != nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_variable(dptr, bytes, *module, name);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
