// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices that do not exist, and objects of two contexts of one device.
#include "mistakes/groups.hpp"

namespace answers {

void ask_about_wrong_devices() {
    use_device();
    for (const int ordinal : {-1, 99}) {
        const std::string device = " of device " + std::to_string(ordinal);
        const auto about = [&](const char* function, auto call) { ask((function + device).c_str(), call); };
        about("cuDeviceGet", [&] { return cuDeviceGet(ordinal); });
        about("cuDeviceTotalMem", [&] { return cuDeviceTotalMem(ordinal); });
        about("cuDeviceGetUuid", [&] { return cubind::Result<CUresult>{cuDeviceGetUuid_v2(ordinal).status}; });
        about("cuDevicePrimaryCtxRetain", [&] { return cuDevicePrimaryCtxRetain(ordinal); });
        about("cuDevicePrimaryCtxRelease", [&] { return cuDevicePrimaryCtxRelease(ordinal); });
        about("cuCtxCreate", [&] { return cuCtxCreate_v2(0, ordinal); });
        about("cuDeviceCanAccessPeer", [&] { return cuDeviceCanAccessPeer(0, ordinal); });
        about("cuDeviceGetP2PAttribute",
              [&] { return cuDeviceGetP2PAttribute(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, ordinal); });
        about("cuDeviceGetDefaultMemPool", [&] { return cuDeviceGetDefaultMemPool(ordinal); });
        about("cuDeviceSetMemPool", [&] { return cuDeviceSetMemPool(ordinal, cuDeviceGetDefaultMemPool(0).value); });
        CUmemPoolProps pool{};
        pool.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        pool.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        pool.location.id = ordinal;
        about("cuMemPoolCreate", [&] { return cuMemPoolCreate(&pool); });
        CUmemAllocationProp memory{};
        memory.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        memory.location = pool.location;
        about("cuMemCreate", [&] { return cuMemCreate(unit, &memory, 0); });
        CUmemAccessDesc access{pool.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        about("cuMemPoolSetAccess", [&] { return cuMemPoolSetAccess(cuDeviceGetDefaultMemPool(0).value, &access, 1); });
    }
    ASK(cuDeviceCanAccessPeer(0, 0));
    ASK(cuDeviceGetP2PAttribute(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
}

void ask_about_wrong_contexts() {
    use_device();
    const CUcontext first = cuCtxCreate_v2(0, 0).value;
    const CUfunction kernel = load_kernel("nothing");
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    void* const pinned = cuMemHostAlloc(4096, 0).value;
    ASK(cuEventRecord(event, stream));
    const CUcontext second = cuCtxCreate_v2(0, 0).value;  // is current from now on
    const CUstream other_stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent other_event = cuEventCreate(CU_EVENT_DEFAULT).value;
    int host = 0;
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, other_stream, nullptr, nullptr));
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    ASK(cuLaunchCooperativeKernel(kernel, 1, 1, 1, 1, 1, 1, 0, other_stream, nullptr));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(kernel, 32, 0));
    ASK(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
    ASK(cuEventRecord(event, other_stream));
    ASK(cuEventRecord(event, nullptr));
    ASK(cuEventRecord(other_event, stream));
    ASK(cuEventRecord(other_event, other_stream));
    ASK(cuEventSynchronize(other_event));
    ASK(cuEventElapsedTime(event, other_event));
    ASK(cuStreamWaitEvent(other_stream, event, 0));
    ASK(cuStreamWaitEvent(stream, other_event, 0));
    ASK(cuEventQuery(event));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamQuery(stream));
    REPORT(cuStreamGetCtx(stream).value == first);
    ASK(cuMemsetD8(memory, 0, 16));
    ASK(cuMemsetD8Async(memory, 0, 16, other_stream));
    (void)cuStreamSynchronize(other_stream);  // the stream does not block the next copy, which would read what it fills
    ASK(cuMemcpyDtoH(&host, memory, sizeof host));
    ASK(cuMemcpyDtoHAsync(&host, memory, sizeof host, other_stream));
    ASK(cuMemGetAddressRange(memory));
    ASK(cuMemHostGetDevicePointer(pinned, 0));
    ASK(cuStreamSynchronize(other_stream));
    ASK(cuMemFree(memory));
    ASK(cuMemFreeHost(pinned));
    ASK(cuStreamDestroy(stream));
    ASK(cuEventDestroy(event));
    ASK(cuCtxEnablePeerAccess(first, 0));
    ASK(cuCtxDisablePeerAccess(first));
    ASK(cuCtxDestroy(second));
    ASK(cuMemAlloc(64));
    ASK(cuCtxSetCurrent(first));
    ASK(cuMemAlloc(64));
    ASK(cuCtxDestroy(first));
    ASK(cuMemAlloc(64));
}

}  // namespace answers
