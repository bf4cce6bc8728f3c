// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/module/contents.hpp"
#include "machine/function_check.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
    const Valid<KernelCheck> check(kernel);
    const Valid<CurrentCheck> context;
    std::shared_ptr<Function> function;
    const CUresult status = function_in(machine().code, machine().contexts.find(context->handle), *check.kernel, function);
    return status != CUDA_SUCCESS ? status : write_output(pFunc, function->handle);
}

CUresult sim_cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel) {
    const Valid<KernelCheck> check(kernel);
    return write_output(pLib, check->library);
}

CUresult sim_cuKernelGetName(const char** name, CUkernel hfunc) {
    const KernelCheck check(hfunc);
    return check.failed() ? check.value_status() : write_output(name, check->kernel.name.c_str());
}

CUresult sim_cuKernelGetParamInfo(CUkernel kernel, std::size_t paramIndex, std::size_t* paramOffset, std::size_t* paramSize) {
    const KernelCheck check(kernel);
    if (check.failed()) return check.value_status();
    const Valid<CurrentCheck> context;
    return write_parameter(check->kernel, paramIndex, paramOffset, paramSize);
}

CUresult sim_cuKernelGetParamCount(CUkernel kernel, std::size_t* paramCount) {
    const Valid<KernelCheck> check(kernel);
    return write_output(paramCount, check->kernel.parameters.size());
}

CUresult sim_cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
    const Valid<KernelCheck> check(kernel);
    const Valid<DeviceCheck> device(dev);
    if (pi == nullptr || !is_function_attribute(attrib, machine().release)) return CUDA_ERROR_INVALID_VALUE;
    return write_output(pi, check.view_on(*device).get(attrib));
}

CUresult sim_cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
    const Valid<KernelCheck> check(kernel);
    const Valid<DeviceCheck> device(dev);
    return check.view_on(*device).set(attrib, val);
}

CUresult sim_cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
    const Valid<KernelCheck> check(kernel);
    const Valid<DeviceCheck> device(dev);
    return config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
