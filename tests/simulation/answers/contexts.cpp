// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_primary_contexts() {
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuDevicePrimaryCtxSetFlags(0, 0x1000));
    ASK(cuDevicePrimaryCtxSetFlags(0, 7));
    ASK(cuDevicePrimaryCtxSetFlags(99, 0));
    ASK(cuDevicePrimaryCtxRetain(99));
    const CUcontext primary = ASK(cuDevicePrimaryCtxRetain(0)).value;
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cuCtxSetCurrent(primary));
    ASK(cuCtxGetFlags());
    ASK(cuCtxDestroy(primary));
    ASK(cuCtxGetCurrent());
    ASK(cuDevicePrimaryCtxRetain(0));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cuCtxSynchronize());
    ASK(cuCtxGetDevice());
    ASK(cuMemAlloc(64));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSetCurrent(primary));
    ASK(cuCtxSetCurrent(nullptr));
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuDevicePrimaryCtxReset(99));
    const CUcontext again = ASK(cuDevicePrimaryCtxRetain(0)).value;
    REPORT(again == primary);
    ASK(cuCtxSetCurrent(again));
    const CUdeviceptr memory = ASK(cuMemAlloc(64)).value;
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuCtxGetCurrent());
    ASK(cuMemFree(memory));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSetCurrent(nullptr));
}

void ask_about_limits() {
    for (int i = 0; i <= 8; ++i) {
        const auto limit = static_cast<CUlimit>(i);
        ask(("cuCtxGetLimit " + std::to_string(i)).c_str(), [&] { return cuCtxGetLimit(limit); });
    }
    ASK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    ASK(cuCtxGetLimit(CU_LIMIT_STACK_SIZE));
    ASK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1));
    ASK(cuCtxGetLimit(CU_LIMIT_STACK_SIZE));
    ASK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, std::size_t{1} << 40));
    ASK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 16));
    ASK(cuCtxGetLimit(CU_LIMIT_PRINTF_FIFO_SIZE));
    ASK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 22));
    ASK(cuCtxGetLimit(CU_LIMIT_MALLOC_HEAP_SIZE));
    ASK(cuCtxSetLimit(static_cast<CUlimit>(99), 1));
    ASK(cuCtxGetLimit(static_cast<CUlimit>(99)));
}

void ask_about_settings(CUcontext context) {
    ASK(cuCtxGetApiVersion(context));
    ASK(cuCtxGetApiVersion(nullptr));
    ASK(cuCtxGetDevice());
    ASK(cuCtxGetDevice_v2(context));
    ASK(cuCtxGetDevice_v2(nullptr));
    ASK(cuCtxGetFlags());
    ASK(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
    ASK(cuCtxGetFlags());
    ASK(cuCtxSetFlags(0x1000));
    ASK(cuCtxSetFlags(3));
    ASK(cuCtxGetId(context));
    ASK(cuCtxGetId(nullptr));
    ASK(cuCtxGetCacheConfig());
    ASK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    ASK(cuCtxGetCacheConfig());
    ASK(cuCtxSetCacheConfig(static_cast<CUfunc_cache>(9)));
    ASK(cuCtxGetSharedMemConfig());
    ASK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    ASK(cuCtxGetSharedMemConfig());
    ASK(cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(9)));
    ASK(cuCtxGetStreamPriorityRange());
    ASK(cuCtxResetPersistingL2Cache());
    ASK(cuCtxSynchronize());
    ASK(cuCtxSynchronize_v2(context));
    ASK(cuCtxSynchronize_v2(nullptr));
    ASK(cuCtxEnablePeerAccess(context, 0));
    ASK(cuCtxEnablePeerAccess(context, 1));
    ASK(cuCtxEnablePeerAccess(nullptr, 0));
    ASK(cuCtxDisablePeerAccess(context));
    ASK(cuCtxDisablePeerAccess(nullptr));
}

}  // namespace

void ask_about_contexts() {
    ASK(cuInit(0));
    ASK(cuCtxGetCurrent());
    ASK(cuCtxPopCurrent());
    ASK(cuCtxCreate_v2(0, 99));
    ASK(cuCtxCreate_v2(0x1000, 0));
    ASK(cuCtxCreate_v2(3, 0));
    const CUcontext first = ASK(cuCtxCreate_v2(CU_CTX_MAP_HOST, 0)).value;
    REPORT(cuCtxGetCurrent().value == first);
    ask_about_settings(first);
    ask_about_limits();
    const CUcontext second = ASK(cuCtxCreate_v4(nullptr, 0, 0)).value;
    REPORT(cuCtxGetCurrent().value == second);
    ASK(cuCtxEnablePeerAccess(first, 0));
    ASK(cuCtxDisablePeerAccess(first));
    ASK(cuCtxPopCurrent());
    REPORT(cuCtxGetCurrent().value == first);
    ASK(cuCtxPushCurrent(second));
    ASK(cuCtxPushCurrent(second));
    ASK(cuCtxPushCurrent(nullptr));
    ASK(cuCtxDestroy(second));
    REPORT(cuCtxGetCurrent().value == second);
    ASK(cuCtxGetCurrent());
    ASK(cuCtxSynchronize());
    ASK(cuCtxPopCurrent());
    ASK(cuCtxGetCurrent());
    ASK(cuCtxSetCurrent(first));
    ASK(cuCtxCreate_v3(nullptr, 0, 0, 0));
    ASK(cuCtxPopCurrent());
    ASK(cuCtxDestroy(nullptr));
    ASK(cuCtxSetCurrent(nullptr));
    ASK(cuCtxGetCurrent());
    ASK(cuCtxPopCurrent());
    ASK(cuCtxDestroy(first));
    ask_about_primary_contexts();
}

void ask_about_missing_contexts() {
    ASK(cuInit(0));
    ASK(cuCtxGetDevice());
    ASK(cuCtxGetFlags());
    ASK(cuCtxGetLimit(CU_LIMIT_STACK_SIZE));
    ASK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    ASK(cuCtxGetCacheConfig());
    ASK(cuCtxGetStreamPriorityRange());
    ASK(cuCtxSynchronize());
    ASK(cuCtxGetApiVersion(nullptr));
    ASK(cuCtxGetId(nullptr));
    ASK(cuCtxResetPersistingL2Cache());
    ASK(cuStreamCreate(0));
    ASK(cuStreamSynchronize(nullptr));
    ASK(cuStreamQuery(CU_STREAM_LEGACY));
    ASK(cuStreamGetFlags(nullptr));
    ASK(cuStreamIsCapturing(nullptr));
    ASK(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuThreadExchangeStreamCaptureMode(CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuEventCreate(0));
    ASK(cuEventQuery(nullptr));
    ASK(cuMemAlloc(64));
    ASK(cuMemAllocPitch(64, 4, 4));
    ASK(cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL));
    ASK(cuMemHostAlloc(64, 0));
    ASK(cuMemAllocHost(64));
    ASK(cuMemFree(0));
    ASK(cuMemFree(bad_address));
    ASK(cuMemFreeHost(nullptr));
    ASK(cuMemGetInfo());
    ASK(cuMemAllocAsync(64, nullptr));
    ASK(cuMemsetD8(bad_address, 0, 1));
    ASK(cuMemcpy(bad_address, bad_address, 1));
    ASK(cuModuleLoadData(ptx));
    ASK(cuLibraryLoadData(ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cuLaunchHostFunc(nullptr, nullptr, nullptr));
    ASK(cuLinkCreate(0, nullptr, nullptr));
    ASK(cuGraphCreate(0));
    int kind = 0;
    ASK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, bad_address));
    ASK(cuMemAddressReserve(2 << 20, 0, 0, 0));
    CUDA_ARRAY_DESCRIPTOR shape{16, 16, CU_AD_FORMAT_FLOAT, 1};
    ASK(cuArrayCreate(&shape));
}

}  // namespace answers
