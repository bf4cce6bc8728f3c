// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "runtime/groups.hpp"

namespace answers {

namespace {

const int no_symbol = 0;

cudaLibrary_t load(const char* code) {
    return cudaLibraryLoadData(code, nullptr, nullptr, 0, nullptr, nullptr, 0).value;
}

}  // namespace

void ask_about_runtime_libraries() {
    const char* const wrong_ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.entry wrong() { nonsense; }\n";
    const char* const future_ptx = ".version 99.0\n.target sm_70\n.address_size 64\n.entry later() { ret; }\n";
    const char* const other_target = ".version 7.0\n.target sm_999\n.address_size 64\n.entry later() { ret; }\n";
    const cudaLibrary_t library = ASK(cudaLibraryLoadData(runtime_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0)).value;
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cudaLibraryLoadData("", nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryLoadData("not a module", nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryLoadData(wrong_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryGetKernelCount(load(wrong_ptx)));
    ASK(cudaLibraryLoadData(future_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryLoadData(other_target, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryLoadFromFile("/nothing/of/this/name", nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryGetKernelCount(library));
    cudaKernel_t kernels[8] = {};
    ASK(cudaLibraryEnumerateKernels(kernels, 8, library));
    ASK(cudaLibraryEnumerateKernels(kernels, 1, library));
    ASK(cudaLibraryEnumerateKernels(kernels, 0, library));
    const cudaKernel_t two = ASK(cudaLibraryGetKernel(library, "two")).value;
    ASK(cudaLibraryGetKernel(library, "nothing of this name"));
    ASK(cudaLibraryGetKernel(library, ""));
    ASK(cudaLibraryGetGlobal(library, "counter"));
    ASK(cudaLibraryGetGlobal(library, "values"));
    ASK(cudaLibraryGetGlobal(library, "limit"));
    ASK(cudaLibraryGetGlobal(library, "two"));
    ASK(cudaLibraryGetGlobal(library, "nothing of this name"));
    ASK(cudaLibraryGetManaged(library, "counter"));
    ASK(cudaLibraryGetUnifiedFunction(library, "two"));
    unsigned long long counter = 0;
    ASK(cudaMemcpy(&counter, cudaLibraryGetGlobal(library, "counter").value1, sizeof counter, cudaMemcpyDeviceToHost));
    REPORT(static_cast<int>(counter));
    ASK(cudaKernelSetAttributeForDevice(two, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000, 0));
    ASK(cudaKernelSetAttributeForDevice(two, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20, 0));
    ASK(cudaKernelSetAttributeForDevice(two, cudaFuncAttributePreferredSharedMemoryCarveout, 101, 0));
    ASK(cudaKernelSetAttributeForDevice(two, static_cast<cudaFuncAttribute>(99), 1, 0));
    ASK(cudaKernelSetAttributeForDevice(two, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 99));
    cudaLibraryOption options[] = {static_cast<cudaLibraryOption>(99)};
    void* values[] = {nullptr};
    ASK(cudaLibraryLoadData(runtime_ptx, nullptr, nullptr, 0, options, values, 1));
    cudaJitOption jit_options[] = {static_cast<cudaJitOption>(99)};
    ASK(cudaLibraryLoadData(runtime_ptx, jit_options, values, 1, nullptr, nullptr, 0));
    jit_options[0] = cudaJitMaxRegisters;
    values[0] = reinterpret_cast<void*>(std::uintptr_t{64});
    ASK(cudaLibraryUnload(ASK(cudaLibraryLoadData(runtime_ptx, jit_options, values, 1, nullptr, nullptr, 0)).value));
    ASK(cudaLibraryUnload(library));
    ASK(cudaGetLastError());
    ASK(cudaLibraryLoadData(nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryLoadFromFile(nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cudaLibraryGetKernel(nullptr, "two"));
    ASK(cudaLibraryUnload(nullptr));
}

// Functions and variables that a program registers. This program registers none.
void ask_about_runtime_symbols() {
    static char host[16];
    ASK(cudaGetSymbolAddress(&no_symbol));
    ASK(cudaGetSymbolSize(&no_symbol));
    ASK(cudaMemcpyToSymbol(&no_symbol, host, 4, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyFromSymbol(host, &no_symbol, 4, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyToSymbol(&no_symbol, host, 4, 0, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaMemcpyToSymbol(&no_symbol, host, 0, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToSymbolAsync(&no_symbol, host, 4, 0, cudaMemcpyHostToDevice));
    ASK(cudaFuncGetAttributes(&no_symbol));
    ASK(cudaGetFuncBySymbol(&no_symbol));
    ASK(cudaGetKernel(&no_symbol));
    ASK(cudaFuncGetName(&no_symbol));
    ASK(cudaFuncSetCacheConfig(&no_symbol, cudaFuncCachePreferL1));
    ASK(cudaFuncSetAttribute(&no_symbol, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    ASK(cudaLaunchKernel(&no_symbol, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&no_symbol, 128, 0));
    ASK(cudaGetLastError());
    ASK(cudaGetSymbolAddress(nullptr));
    ASK(cudaGetSymbolSize(nullptr));
    ASK(cudaMemcpyToSymbol(nullptr, host, 4, 0, cudaMemcpyHostToDevice));
    ASK(cudaGetFuncBySymbol(nullptr));
    ASK(cudaGetKernel(nullptr));
}

}  // namespace answers
