// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/module/contents.hpp"
#include "machine/function_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Returns the status of a failed attribute call. After a fault it is CUDA_ERROR_INVALID_HANDLE; other calls return the fault.
CUresult attribute_status(const FunctionCheck& function) {
    return function.function != nullptr ? CUDA_ERROR_INVALID_HANDLE : function.status;
}

}  // namespace

extern "C" {

CUresult sim_cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
    const FunctionCheck function(hfunc);
    if (function.failed()) return attribute_status(function);
    if (pi == nullptr || !is_function_attribute(attrib, machine().release)) return CUDA_ERROR_INVALID_VALUE;
    return write_output(pi, function->view().get(attrib));
}

CUresult sim_cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
    const FunctionCheck function(hfunc);
    return function.failed() ? attribute_status(function) : function->view().set(attrib, value);
}

CUresult sim_cuFuncGetName(const char** name, CUfunction hfunc) {
    const FunctionCheck function(hfunc);
    return function.failed() ? function.value_status() : write_output(name, function->kernel.name.c_str());
}

CUresult sim_cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
    const FunctionCheck function(hfunc);
    return function.failed() ? function.value_status() : write_output(hmod, function->module);
}

CUresult sim_cuFuncGetParamInfo(CUfunction func, std::size_t paramIndex, std::size_t* paramOffset, std::size_t* paramSize) {
    const FunctionCheck function(func);
    return function.failed() ? function.value_status() : write_parameter(function->kernel, paramIndex, paramOffset, paramSize);
}

CUresult sim_cuFuncGetParamCount(CUfunction func, std::size_t* paramCount) {
    const Valid<FunctionCheck> function(func);
    return write_output(paramCount, function->kernel.parameters.size());
}

CUresult sim_cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
    const Valid<FunctionCheck> check(function);
    return write_output(state, CU_FUNCTION_LOADING_STATE_LOADED);
}

CUresult sim_cuFuncLoad(CUfunction function) {
    return FunctionCheck(function).status;
}

// Cache and bank configurations have no effect in a simulation.
CUresult sim_cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
    const Valid<FunctionCheck> function(hfunc);
    return config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
    const Valid<FunctionCheck> function(hfunc);
    return config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
