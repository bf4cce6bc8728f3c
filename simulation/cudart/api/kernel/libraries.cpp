// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* jitOptions, void** jitOptionsValues,
                                    unsigned int numJitOptions, cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                    unsigned int numLibraryOptions) {
    return call(cuLibraryLoadData, library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
                libraryOptionValues, numLibraryOptions);
}

cudaError_t sim_cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName, cudaJitOption* jitOptions,
                                        void** jitOptionsValues, unsigned int numJitOptions, cudaLibraryOption* libraryOptions,
                                        void** libraryOptionValues, unsigned int numLibraryOptions) {
    return call(cuLibraryLoadFromFile, library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
                libraryOptionValues, numLibraryOptions);
}

cudaError_t sim_cudaLibraryUnload(cudaLibrary_t library) {
    return call(cuLibraryUnload, library);
}

cudaError_t sim_cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library, const char* name) {
    return call(cuLibraryGetKernel, pKernel, library, name);
}

cudaError_t sim_cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t lib) {
    return call(cuLibraryGetKernelCount, count, lib);
}

cudaError_t sim_cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int numKernels, cudaLibrary_t lib) {
    return call(cuLibraryEnumerateKernels, kernels, numKernels, lib);
}

cudaError_t sim_cudaLibraryGetGlobal(void** dptr, std::size_t* bytes, cudaLibrary_t library, const char* name) {
    return call_in_context(cuLibraryGetGlobal, dptr, bytes, library, name);
}

cudaError_t sim_cudaLibraryGetManaged(void** dptr, std::size_t* bytes, cudaLibrary_t library, const char* name) {
    return call_in_context(cuLibraryGetManaged, dptr, bytes, library, name);
}

cudaError_t sim_cudaLibraryGetUnifiedFunction(void** fptr, cudaLibrary_t library, const char* symbol) {
    return call_in_context(cuLibraryGetUnifiedFunction, fptr, library, symbol);
}

cudaError_t sim_cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr, int value, int device) {
    return call(cuKernelSetAttribute, attr, value, kernel, device);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
