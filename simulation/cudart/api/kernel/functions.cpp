// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "api/kernel/with_function.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

template <class Value>
CUresult read(CUfunction function, CUfunction_attribute attribute, Value& value) {
    int number = 0;
    const CUresult status = cuFuncGetAttribute(&number, attribute, function);
    value = static_cast<Value>(number);
    return status;
}

CUresult read_attributes(CUfunction function, cudaFuncAttributes& attributes) {
    CUresult status = read(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, attributes.sharedSizeBytes);
    if (status != CUDA_SUCCESS) return status;
    read(function, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, attributes.constSizeBytes);
    read(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, attributes.localSizeBytes);
    read(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, attributes.maxThreadsPerBlock);
    read(function, CU_FUNC_ATTRIBUTE_NUM_REGS, attributes.numRegs);
    read(function, CU_FUNC_ATTRIBUTE_PTX_VERSION, attributes.ptxVersion);
    read(function, CU_FUNC_ATTRIBUTE_BINARY_VERSION, attributes.binaryVersion);
    read(function, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, attributes.cacheModeCA);
    read(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, attributes.maxDynamicSharedSizeBytes);
    read(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, attributes.preferredShmemCarveout);
    read(function, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, attributes.clusterDimMustBeSet);
    read(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, attributes.requiredClusterWidth);
    read(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, attributes.requiredClusterHeight);
    read(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, attributes.requiredClusterDepth);
    read(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, attributes.nonPortableClusterSizeAllowed);
    read(function, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, attributes.clusterSchedulingPolicyPreference);
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

cudaError_t sim_cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
    if (attr == nullptr) return cudaErrorInvalidValue;
    cudaFuncAttributes attributes = {};
    const cudaError_t status = with_function(func, [&](CUfunction function) { return read_attributes(function, attributes); });
    if (status == cudaSuccess) *attr = attributes;
    return status;
}

// Attributes of both libraries have the same numbers.
cudaError_t sim_cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
    return with_function(
        func, [&](CUfunction function) { return cuFuncSetAttribute(function, static_cast<CUfunction_attribute>(attr), value); });
}

cudaError_t sim_cudaFuncSetCacheConfig(const void* func, cudaFuncCache cacheConfig) {
    return with_function(
        func, [&](CUfunction function) { return cuFuncSetCacheConfig(function, static_cast<CUfunc_cache>(cacheConfig)); });
}

cudaError_t sim_cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig config) {
    return with_function(
        func, [&](CUfunction function) { return cuFuncSetSharedMemConfig(function, static_cast<CUsharedconfig>(config)); });
}

cudaError_t sim_cudaFuncGetName(const char** name, const void* func) {
    return with_function(func, [&](CUfunction function) { return cuFuncGetName(name, function); });
}

cudaError_t sim_cudaFuncGetParamCount(const void* func, std::size_t* paramCount) {
    constexpr int first_release = 13020;
    CUfunction function = nullptr;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_function(func, function)) return status;
    return call_since(first_release, cuFuncGetParamCount, function, paramCount);
}

cudaError_t sim_cudaFuncGetParamInfo(const void* func, std::size_t paramIndex, std::size_t* paramOffset, std::size_t* paramSize) {
    return with_function(func,
                         [&](CUfunction function) { return cuFuncGetParamInfo(function, paramIndex, paramOffset, paramSize); });
}

// Unlike other functions, both accept only addresses of host functions.
cudaError_t sim_cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr) {
    if (functionPtr == nullptr) return cudaErrorInvalidValue;
    CUkernel kernel = nullptr;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_kernel(symbolPtr, kernel)) return status;
    return status_of(cuKernelGetFunction(functionPtr, kernel));
}

cudaError_t sim_cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr) {
    if (kernelPtr == nullptr) return cudaErrorInvalidValue;
    return find_kernel(entryFuncAddr, *kernelPtr);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
