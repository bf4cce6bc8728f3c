// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/runtime/strings.hpp>

#include <cstddef>

#include "runtime/groups.hpp"

namespace answers {

namespace {

// Where the device is in the machine, what the machine's other devices can do, and what only the GPU model determines.
bool depends_on_machine(int attribute) {
    for (const int each : {33, 34, 50, 114, 124, 128, 130, 134, 139, 140}) {
        if (attribute == each) return true;
    }
    return false;
}

}  // namespace

void ask_about_runtime_library() {
    ASK(cudaRuntimeGetVersion());
    ASK(cudaDriverGetVersion());
    ASK(cudaRuntimeGetVersion());
    REPORT(cuDeviceGetCount().status == CUDA_SUCCESS);
    ASK(cuInit(0));
    ASK(cuDevicePrimaryCtxGetState(0));
}

// When the runtime API initializes the driver, creates the primary context, and makes it current.
void ask_about_runtime_initialization() {
    ASK(cudaPeekAtLastError());
    ASK(cudaGetDeviceCount());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaGetDevice());
    ASK(cudaGetDeviceFlags());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cudaDeviceGetAttribute(cudaDevAttrWarpSize, 0));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cudaInitDevice(99, 0, 0));
    ASK(cudaInitDevice(0, 0, 99));
    ASK(cudaInitDevice(0, cudaDeviceScheduleYield, 0));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cudaInitDevice(0, 0x1000, cudaInitDeviceFlagsAreValid));
    ASK(cudaInitDevice(0, 7, cudaInitDeviceFlagsAreValid));
    ASK(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaSetDevice(-1));
    ASK(cudaSetDevice(99));
    ASK(cudaSetDevice(0));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaFree(nullptr));
    ASK(cudaGetDeviceFlags());
    ASK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    ASK(cudaGetDeviceFlags());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
    ASK(cudaGetDeviceFlags());
    ASK(cudaDeviceReset());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaGetDevice());
    ASK(cudaGetDeviceFlags());
    ASK(cudaDeviceSynchronize());
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    ASK(cudaGetLastError());
}

void ask_about_runtime_devices() {
    for (int i = 0; i <= 150; ++i) {
        const auto attribute = static_cast<cudaDeviceAttr>(i);
        const std::string name = "cudaDeviceGetAttribute " + std::to_string(i) + ' ' + to_string(attribute);
        if (depends_on_machine(i)) {
            ask(name.c_str(), [&] { return cubind::Result<cudaError_t>{cudaDeviceGetAttribute(attribute, 0).status}; });
        } else {
            ask(name.c_str(), [&] { return cudaDeviceGetAttribute(attribute, 0); });
        }
    }
    ASK(cudaDeviceGetAttribute(cudaDevAttrWarpSize, 99));
    ASK(cudaDeviceGetAttribute(cudaDevAttrWarpSize, -1));
    ASK(cudaDeviceGetAttribute(static_cast<cudaDeviceAttr>(5000), 0));
    char bus[32] = "untouched";
    ASK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    ASK(cudaDeviceGetByPCIBusId(bus));
    ASK(cudaDeviceGetPCIBusId(bus, 13, 0));
    ASK(cudaDeviceGetPCIBusId(bus, 12, 0));
    ASK(cudaDeviceGetPCIBusId(bus, 5, 0));
    ASK(cudaDeviceGetPCIBusId(bus, sizeof bus, 99));
    ASK(cudaDeviceGetPCIBusId(bus, sizeof bus, -1));
    ASK(cudaDeviceGetByPCIBusId("ffff:ff:1f.7"));
    ASK(cudaDeviceGetByPCIBusId("nothing"));
    ASK(cudaDeviceGetByPCIBusId(""));
    cudaDeviceProp wanted{};
    ASK(cudaChooseDevice(&wanted));
    wanted.major = 99;
    ASK(cudaChooseDevice(&wanted));
    ASK(cudaDeviceGetDefaultMemPool(0));
    ASK(cudaDeviceGetDefaultMemPool(99));
    ASK(cudaDeviceGetMemPool(0));
    ASK(cudaDeviceGetMemPool(-1));
    REPORT(cudaDeviceGetMemPool(0).value == cudaDeviceGetDefaultMemPool(0).value);
    ASK(cudaDeviceSetMemPool(99, nullptr));
    ASK(cudaDeviceSetMemPool(0, nullptr));
    ASK(cudaDeviceGetStreamPriorityRange());
    ASK(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner));
    ASK(cudaDeviceFlushGPUDirectRDMAWrites(static_cast<cudaFlushGPUDirectRDMAWritesTarget>(9),
                                           cudaFlushGPUDirectRDMAWritesToOwner));
    ASK(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                           static_cast<cudaFlushGPUDirectRDMAWritesScope>(9)));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    const cudaChannelFormatDesc wrong = cudaCreateChannelDesc(7, 0, 0, 0, cudaChannelFormatKindFloat);
    ASK(cudaDeviceGetTexture1DLinearMaxWidth(&format, 0));
    ASK(cudaDeviceGetTexture1DLinearMaxWidth(&format, 99));
    ASK(cudaDeviceGetTexture1DLinearMaxWidth(&wrong, 0));
    int devices[] = {0, 99};
    ASK(cudaSetValidDevices(devices, 1));
    ASK(cudaSetValidDevices(devices, 2));
    ASK(cudaSetValidDevices(devices, 0));
    ASK(cudaSetValidDevices(nullptr, 0));
    ASK(cudaSetValidDevices(devices, -1));
    ASK(cudaGetDevice());
    ASK(cudaSetDeviceFlags(0x1000));
    ASK(cudaSetDeviceFlags(7));
    ASK(cudaSetDeviceFlags(cudaDeviceMapHost));
    ASK(cudaSetDeviceFlags(cudaDeviceLmemResizeToMax));
    ASK(cudaGetDeviceFlags());
    ASK(cudaSetDeviceFlags(cudaDeviceSyncMemops));
    ASK(cudaGetDeviceFlags());
    ASK(cudaSetDeviceFlags(0));
    ASK(cudaGetDeviceFlags());
    ASK(cudaDeviceGetByPCIBusId(nullptr));
    ASK(cudaDeviceGetPCIBusId(nullptr, 20, 0));
    ASK(cudaDeviceGetPCIBusId(bus, 0, 0));
    ASK(cudaChooseDevice(nullptr));
}

void ask_about_runtime_limits() {
    for (int i = 0; i <= 11; ++i) {
        const auto limit = static_cast<cudaLimit>(i);
        ask(("cudaDeviceGetLimit " + std::to_string(i)).c_str(), [&] { return cudaDeviceGetLimit(limit); });
    }
    ASK(cudaDeviceGetLimit(static_cast<cudaLimit>(99)));
    ASK(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
    ASK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    ASK(cudaDeviceGetLimit(cudaLimitStackSize));
    ASK(cudaDeviceSetLimit(cudaLimitStackSize, std::size_t{1} << 40));
    ASK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    ASK(cudaDeviceGetLimit(cudaLimitPrintfFifoSize));
    ASK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64));
    ASK(cudaDeviceGetLimit(cudaLimitMaxL2FetchGranularity));
    ASK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 1000));
    ASK(cudaDeviceGetLimit(cudaLimitMaxL2FetchGranularity));
    ASK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t{1} << 40));
    ASK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    ASK(cudaCtxResetPersistingL2Cache());
    ASK(cudaDeviceGetCacheConfig());
    ASK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    ASK(cudaDeviceGetCacheConfig());
    ASK(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)));
    ASK(cudaDeviceGetSharedMemConfig());
    ASK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    ASK(cudaDeviceGetSharedMemConfig());
    ASK(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(9)));
    ASK(cudaDeviceReset());
    ASK(cudaDeviceGetLimit(cudaLimitStackSize));
    ASK(cudaDeviceGetCacheConfig());
}

void ask_about_runtime_peers() {
    ASK(cudaDeviceCanAccessPeer(0, 0));
    ASK(cudaDeviceCanAccessPeer(0, 99));
    ASK(cudaDeviceCanAccessPeer(99, 0));
    ASK(cudaDeviceCanAccessPeer(-1, 0));
    ASK(cudaDeviceEnablePeerAccess(0, 0));
    ASK(cudaDeviceEnablePeerAccess(99, 0));
    ASK(cudaDeviceEnablePeerAccess(0, 1));
    ASK(cudaDeviceDisablePeerAccess(0));
    ASK(cudaDeviceDisablePeerAccess(99));
    for (int i = 0; i <= 6; ++i) {
        const auto attribute = static_cast<cudaDeviceP2PAttr>(i);
        ask(("cudaDeviceGetP2PAttribute " + std::to_string(i)).c_str(),
            [&] { return cudaDeviceGetP2PAttribute(attribute, 0, 0); });
    }
    ASK(cudaDeviceGetP2PAttribute(cudaDevP2PAttrAccessSupported, 0, 99));
    ASK(cudaDeviceGetP2PAttribute(cudaDevP2PAttrAccessSupported, 99, 0));
    cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS, cudaAtomicOperationFloatAdd,
                                        static_cast<cudaAtomicOperation>(99)};
    unsigned capabilities[4] = {};
    ASK(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 3, 0));
    for (int i = 0; i < 3; ++i) REPORT(capabilities[i]);
    ASK(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 4, 0));
    ASK(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 0, 0));
    ASK(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 1, 99));
    ASK(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 3, 0, 0));
    ASK(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 3, 0, 99));
    ASK(cudaIpcOpenMemHandle({}, cudaIpcMemLazyEnablePeerAccess));
    ASK(cudaIpcOpenMemHandle({}, 99));
    void* const memory = cudaMalloc(1 << 21).value;
    const auto exported = ASK(cudaIpcGetMemHandle(memory));
    ASK(cudaIpcOpenMemHandle(exported.value, cudaIpcMemLazyEnablePeerAccess));
    ASK(cudaIpcGetMemHandle(bad_pointer));
    ASK(cudaIpcGetMemHandle(nullptr));
    ASK(cudaIpcCloseMemHandle(memory));
    ASK(cudaIpcCloseMemHandle(bad_pointer));
    const cudaEvent_t plain = cudaEventCreate().value;
    const cudaEvent_t shared = ASK(cudaEventCreateWithFlags(cudaEventInterprocess | cudaEventDisableTiming)).value;
    ASK(cudaIpcGetEventHandle(shared));
    ASK(cudaIpcGetEventHandle(plain));
    ASK(cudaIpcOpenEventHandle(cudaIpcGetEventHandle(shared).value));
    ASK(cudaIpcGetEventHandle(nullptr));
}

}  // namespace answers
