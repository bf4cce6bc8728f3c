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

// Since 13.1.
void ask_about_runtime_execution_contexts() {
    for (const int type : {0, 1, 2, 1000, 10000}) {
        ask(("cudaDeviceGetDevResource " + std::to_string(type)).c_str(), [&] {
            return cubind::Result<cudaError_t>{cudaDeviceGetDevResource(0, static_cast<cudaDevResourceType>(type)).status};
        });
    }
    ASK(cudaDeviceGetDevResource(99, cudaDevResourceTypeSm));
    const cudaExecutionContext_t primary = ASK(cudaDeviceGetExecutionCtx(0)).value;
    ASK(cudaDeviceGetExecutionCtx(99));
    const cudaDevResource all = cudaDeviceGetDevResource(0, cudaDevResourceTypeSm).value;
    cudaDevResource group{};
    ASK(cudaDevSmResourceSplitByCount(&group, 1, &all, 0, 16));
    ASK(cudaDevSmResourceSplitByCount(&group, 1, &all, 99, 16));
    ASK(cudaDevSmResourceSplitByCount(&group, 0, &all, 0, 16));
    const auto descriptor = ASK(cudaDevResourceGenerateDesc(&group, 1));
    if (!descriptor.ok()) return;
    ASK(cudaGreenCtxCreate(descriptor.value, 0, 99));
    ASK(cudaGreenCtxCreate(descriptor.value, 99, 0));
    const cudaExecutionContext_t green = ASK(cudaGreenCtxCreate(descriptor.value, 0, 0)).value;
    for (const cudaExecutionContext_t context : {primary, green}) {
        ASK(cudaExecutionCtxGetDevice(context));
        ASK(cudaExecutionCtxGetId(context));
        ASK(cudaExecutionCtxSynchronize(context));
        ASK(cudaExecutionCtxStreamCreate(context, cudaStreamDefault, 0));
        ASK(cudaExecutionCtxStreamCreate(context, cudaStreamNonBlocking, 0));
        ASK(cudaExecutionCtxStreamCreate(context, 99, 0));
        const cudaEvent_t event = cudaEventCreate().value;
        ASK(cudaExecutionCtxRecordEvent(context, event));
        ASK(cudaExecutionCtxWaitEvent(context, event));
    }
    ASK(cudaExecutionCtxDestroy(primary));
    ASK(cudaExecutionCtxDestroy(green));
    ASK(cudaGetLastError());
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
