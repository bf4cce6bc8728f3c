// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

namespace {

// The runtime API uses the context that the driver API made current, also one that is not a primary context.
void ask_about_foreign_contexts() {
    const CUcontext foreign = cuCtxCreate(nullptr, 0, 0).value;
    ASK(cuCtxGetCurrent());
    ASK(cudaGetDevice());
    void* const memory = ASK(cudaMalloc(64)).value;
    ASK(cudaPointerGetAttributes(memory));
    const cudaStream_t stream = ASK(cudaStreamCreate()).value;
    REPORT(cuStreamGetCtx(stream).value == foreign);
    ASK(cudaGetDeviceFlags());
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamDestroy(stream));
    ASK(cudaFree(memory));
    ASK(cudaSetDevice(0));
    REPORT(cuCtxGetCurrent().value == foreign);
    ASK(cuCtxDestroy(foreign));
    ASK(cuCtxGetCurrent());
    ASK(cudaGetDevice());
    ASK(cudaMalloc(64));
}

}  // namespace

void ask_about_runtime_contexts() {
    ASK(cuInit(0));
    const CUcontext primary = ASK(cuDevicePrimaryCtxRetain(0)).value;
    ASK(cuCtxSetCurrent(primary));
    void* const memory = ASK(cudaMalloc(64)).value;
    ASK(cuMemsetD8(reinterpret_cast<CUdeviceptr>(memory), 1, 64));
    ASK(cuMemFree(reinterpret_cast<CUdeviceptr>(memory)));
    ASK(cudaFree(memory));
    ASK(cudaFree(reinterpret_cast<void*>(cuMemAlloc(64).value)));
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaStreamGetFlags(stream));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaEventSynchronize(event));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaEventDestroy(event));
    // The runtime API selects the primary context only when a call needs one.
    ASK(cuCtxSetCurrent(nullptr));
    ASK(cudaGetDevice());
    ASK(cuCtxGetCurrent());
    ASK(cudaDeviceGetLimit(cudaLimitStackSize));
    REPORT(cuCtxGetCurrent().value == primary);
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cudaDeviceReset());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaMalloc(64));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaMalloc(64));
    ASK(cudaGetLastError());
    ASK(cudaSetDevice(0));
    ASK(cudaMalloc(64));
    ask_about_foreign_contexts();
}

void ask_about_runtime_entry_points() {
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", cudaEnableDefault));
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", cudaEnableLegacyStream));
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", cudaEnablePerThreadDefaultStream));
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", 3));
    ASK(cudaGetDriverEntryPoint("cuMemAlloc", 99));
    ASK(cudaGetDriverEntryPoint("cuNothing", cudaEnableDefault));
    ASK(cudaGetDriverEntryPoint("", cudaEnableDefault));
    ASK(cudaGetDriverEntryPoint("cudaMalloc", cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", 12000, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", 2000, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", 1000, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuGreenCtxCreate", 12000, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuGreenCtxCreate", 12040, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", 99000, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", 12000, 99));
    ASK(cudaGetDriverEntryPointByVersion("cuNothing", 12000, cudaEnableDefault));
    const cudaUUID_t nothing{};
    ASK(cudaGetExportTable(&nothing));
    ASK(cudaLogsCurrent(0));
    ASK(cudaLogsCurrent(99));
    char buffer[4096] = {};
    ASK(cudaLogsDumpToMemory(0, buffer, sizeof buffer, 99));
    ASK(cudaGetLastError());
    ASK(cudaGetDriverEntryPoint(nullptr, cudaEnableDefault));
    ASK(cudaGetDriverEntryPointByVersion(nullptr, 12000, cudaEnableDefault));
}

}  // namespace answers
