// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulated_test.hpp"

namespace cubind::testing {

/// A long program without mistakes that destroys the objects that it creates. Running it returns all statuses other than success.
class CorrectProgram {
public:
    std::vector<std::string> run() {
        note(cuInit(0).status);
        note(cuDriverGetVersion().status);
        const auto [created, context] = cuCtxCreate_v2(0, 0);
        note(created);
        queries();
        memory();
        copies();
        streams();
        pools();
        contexts(context);
        note(cuCtxDestroy(context).status);
        return failures_;
    }

private:
    void note(CUresult status, const char* what = "") {
        if (status != CUDA_SUCCESS) failures_.push_back(std::string(what) + to_string(status));
    }

    void queries() {
        char name[64];
        note(cuDeviceGetName(name, sizeof name, 0).status);
        note(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0).status);
        note(cuDeviceTotalMem(0).status);
        note(cuDeviceGetUuid_v2(0).status);
        note(cuCtxGetCurrent().status);
        note(cuCtxGetDevice().status);
        note(cuCtxGetStreamPriorityRange().status);
        note(cuGetErrorName(CUDA_ERROR_UNKNOWN).status);
        note(cuMemGetInfo().status);
    }

    void memory() {
        const auto linear = cuMemAlloc(4096);
        note(linear.status);
        note(cuMemGetAddressRange(linear.value).status);
        const auto pitched = cuMemAllocPitch(100, 10, 4);
        note(pitched.status);
        const auto managed = cuMemAllocManaged(256, CU_MEM_ATTACH_GLOBAL);
        note(managed.status);
        const auto pinned = cuMemHostAlloc(64, CU_MEMHOSTALLOC_PORTABLE);
        note(pinned.status);
        note(cuMemHostGetDevicePointer(pinned.value, 0).status);
        static char registered[4096];
        note(cuMemHostRegister(registered, sizeof registered, 0).status);
        note(cuMemHostUnregister(registered).status);
        note(cuMemFreeHost(pinned.value).status);
        note(cuMemFree(managed.value).status);
        note(cuMemFree(pitched.value1).status);
        note(cuMemFree(linear.value).status);
        note(cuMemFree(0).status, "null: ");
    }

    void copies() {
        const CUdeviceptr memory = cuMemAlloc(64).value;
        char host[64] = "text";
        note(cuMemcpyHtoD(memory, host, sizeof host).status);
        note(cuMemcpyDtoD(memory + 32, memory, 32).status);
        note(cuMemcpyDtoH(host, memory, sizeof host).status);
        note(cuMemsetD8(memory, 1, 64).status);
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = memory;
        copy.srcPitch = copy.dstPitch = 8;
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = host;
        copy.WidthInBytes = 4;
        copy.Height = 2;
        note(cuMemcpy2D(&copy).status);
        note(cuMemFree(memory).status);
    }

    void streams() {
        const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
        const CUstream urgent = cuStreamCreateWithPriority(CU_STREAM_DEFAULT, -1).value;
        const CUevent before = cuEventCreate(CU_EVENT_DEFAULT).value;
        const CUevent after = cuEventCreate(CU_EVENT_DEFAULT).value;
        note(cuEventRecord(before, stream).status);
        note(cuLaunchHostFunc(
                 stream, [](void*) {}, nullptr)
                 .status);
        note(cuEventRecord(after, stream).status);
        note(cuStreamWaitEvent(urgent, after, 0).status);
        note(cuStreamWaitEvent(nullptr, after, 0).status);
        note(cuStreamSynchronize(nullptr).status);
        note(cuStreamSynchronize(CU_STREAM_PER_THREAD).status);
        note(cuStreamSynchronize(urgent).status);
        note(cuEventSynchronize(after).status);
        note(cuEventElapsedTime(before, after).status);
        note(cuStreamGetCtx(stream).status);
        note(cuEventDestroy(before).status);
        note(cuEventDestroy(after).status);
        note(cuStreamDestroy(urgent).status);
        note(cuStreamDestroy(stream).status);
    }

    void pools() {
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        const auto [created, pool] = cuMemPoolCreate(&properties);
        note(created);
        const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
        const auto [given, memory] = cuMemAllocFromPoolAsync(64, pool, stream);
        note(given);
        note(cuMemFreeAsync(memory, stream).status);
        const auto from_default = cuMemAllocAsync(64, stream);
        note(from_default.status);
        note(cuMemFree(from_default.value).status);
        note(cuStreamSynchronize(stream).status);
        note(cuDeviceGetDefaultMemPool(0).status);
        note(cuStreamDestroy(stream).status);
        note(cuMemPoolDestroy(pool).status);
    }

    void contexts(CUcontext first) {
        const auto [retained, primary] = cuDevicePrimaryCtxRetain(1);
        note(retained);
        note(cuCtxPushCurrent(primary).status);
        const CUdeviceptr memory = cuMemAlloc(16).value;
        note(cuMemFree(memory).status);
        note(cuCtxPopCurrent().status);
        note(cuDevicePrimaryCtxRelease(1).status);
        const CUcontext second = cuCtxCreate_v2(0, 1).value;
        (void)cuStreamCreate(0);  // destroyed with its context
        (void)cuMemAlloc(16);
        note(cuCtxDestroy(second).status);
        note(cuCtxSetCurrent(first).status);
    }

    std::vector<std::string> failures_;
};

}  // namespace cubind::testing
