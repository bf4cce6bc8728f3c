// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "mistakes/faults.hpp"
#include "runner.hpp"

namespace answers {

namespace {

CUmemLocation location_of(int device) {
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device;
    return location;
}

// Device 1 is current from now on.
CUcontext use_devices() {
    const CUcontext first = use_device(0);
    (void)use_device(1);
    return first;
}

CUdeviceptr allocate_on_first(CUcontext first) {
    (void)cuCtxPushCurrent(first);
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    (void)cuCtxPopCurrent();
    return memory;
}

CUdeviceptr allocate_from_pool_of_first(CUcontext first) {
    (void)cuCtxPushCurrent(first);
    const CUdeviceptr memory = cuMemAllocAsync(unit, nullptr).value;
    (void)cuStreamSynchronize(nullptr);
    (void)cuCtxPopCurrent();
    return memory;
}

CUdeviceptr map_on_first(bool is_shared) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = location_of(0);
    const CUdeviceptr address = cuMemAddressReserve(unit, 0, 0, 0).value;
    (void)cuMemMap(address, unit, 0, cuMemCreate(unit, &properties, 0).value, 0);
    for (int device = 0; device <= (is_shared ? 1 : 0); ++device) {
        const CUmemAccessDesc access{location_of(device), CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        (void)cuMemSetAccess(address, unit, &access, 1);
    }
    return address;
}

// Asks about a kernel of device 1 that uses memory of device 0, and about both devices afterwards.
template <class Allocate>
void ask_about_memory_of_another(const char* kernel, Allocate allocate) {
    if (!has_two_devices()) return;
    const CUcontext first = use_devices();
    ask_about_launch(kernel, allocate(first));
    (void)cuCtxSetCurrent(first);
    ask("cuMemAlloc on the other device", [] { return cuMemAlloc(64); });
    ask("cuCtxSynchronize of the other device", [] { return cuCtxSynchronize(); });
}

void ask_about_peer_access() {
    if (!has_two_devices()) return;
    const CUcontext first = use_devices();
    const CUcontext second = cuCtxGetCurrent().value;
    ASK(cuDeviceCanAccessPeer(0, 1));
    ASK(cuDeviceCanAccessPeer(1, 1));
    ASK(cuDeviceGetP2PAttribute(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    ASK(cuDeviceGetP2PAttribute(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 1, 1));
    for (int i = 0; i <= 6; ++i) {
        ask(("cuDeviceGetP2PAttribute " + std::to_string(i)).c_str(),
            [&] { return cuDeviceGetP2PAttribute(static_cast<CUdevice_P2PAttribute>(i), 0, 1); });
    }
    for (unsigned i = 0; i <= CU_ATOMIC_OPERATION_MAX; ++i) {
        const auto operation = static_cast<CUatomicOperation>(i);
        unsigned capabilities = 77;
        ask(("cuDeviceGetP2PAtomicCapabilities of operation " + std::to_string(i)).c_str(),
            [&] { return cuDeviceGetP2PAtomicCapabilities(&capabilities, &operation, 1, 0, 1); });
        report(("capabilities of operation " + std::to_string(i)).c_str(), capabilities);
    }
    ASK(cuCtxDisablePeerAccess(first));
    ASK(cuCtxEnablePeerAccess(second, 0));
    ASK(cuCtxEnablePeerAccess(first, 1));
    ASK(cuCtxEnablePeerAccess(first, 0));
    ASK(cuCtxEnablePeerAccess(first, 0));
    ASK(cuCtxDisablePeerAccess(first));
    ASK(cuCtxDisablePeerAccess(first));
    CUmemAccessDesc access{location_of(1), CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    access = {location_of(0), CU_MEM_ACCESS_FLAGS_PROT_NONE};
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    ASK(cuDeviceSetMemPool(1, pool));
}

void ask_about_objects_of_another_device() {
    if (!has_two_devices()) return;
    const CUcontext first = use_device(0);
    const CUmodule module = cuModuleLoadData(kernels).value;
    const CUfunction kernel = cuModuleGetFunction(module, "nothing").value;
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    const CUdeviceptr of_pool = allocate_from_pool_of_first(first);
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    CUDA_ARRAY_DESCRIPTOR shape{32, 16, CU_AD_FORMAT_FLOAT, 1};
    const CUarray array = cuArrayCreate(&shape).value;
    const CUgraph graph = cuGraphCreate(0).value;
    CUDA_KERNEL_NODE_PARAMS launch{};
    launch.func = kernel;
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch));
    const CUgraphExec executable = cuGraphInstantiate(graph, 0).value;
    ASK(cuEventRecord(event, stream));
    const CUcontext second = use_device(1);
    const CUstream own_stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent own_event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUdeviceptr own_memory = cuMemAlloc(unit).value;
    int host = 0;
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, own_stream, nullptr, nullptr));
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(kernel, 32, 0));
    ASK(cuEventRecord(event, own_stream));
    ASK(cuEventRecord(own_event, stream));
    ASK(cuEventRecord(own_event, own_stream));
    ASK(cuEventSynchronize(own_event));
    ASK(cuEventElapsedTime(event, own_event));
    ASK(cuStreamWaitEvent(own_stream, event, 0));
    ASK(cuEventQuery(event));
    ASK(cuStreamSynchronize(stream));
    ASK(cuGraphLaunch(executable, own_stream));
    ASK(cuStreamSynchronize(own_stream));
    ASK(cuModuleGetFunction(module, "load"));
    ASK(cuModuleGetGlobal(module, "word"));
    ASK(cuMemsetD8(memory, 0, 16));
    ASK(cuMemsetD8Async(memory, 0, 16, own_stream));
    ASK(cuMemsetD8(of_pool, 0, 16));
    ASK(cuMemcpyDtoH(&host, memory, sizeof host));
    ASK(cuMemcpyDtoH(&host, of_pool, sizeof host));
    ASK(cuMemcpyDtoD(own_memory, memory, unit));
    ASK(cuMemcpyDtoD(own_memory, of_pool, unit));
    ASK(cuMemcpyDtoDAsync(own_memory, memory, unit, own_stream));
    (void)cuStreamSynchronize(own_stream);  // the next copies do not wait for the stream
    ASK(cuMemcpyPeer(own_memory, second, memory, first, unit));
    ASK(cuMemcpyPeer(own_memory, first, memory, second, unit));
    ASK(cuMemcpyPeerAsync(own_memory, second, of_pool, first, unit, own_stream));
    ASK(cuStreamSynchronize(own_stream));
    ASK(cuMemcpyHtoA(array, 0, &host, sizeof host));
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC sampling{};
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    ASK(cuMemAllocFromPoolAsync(64, pool, own_stream));
    ASK(cuMemFreeAsync(of_pool, own_stream));
    ASK(cuStreamSynchronize(own_stream));
    ASK(cuArrayDestroy(array));
    ASK(cuMemFree(memory));
    ASK(cuEventDestroy(event));
    ASK(cuStreamDestroy(stream));
    ASK(cuModuleUnload(module));
}

}  // namespace

void ask_about_two_devices() {
    run_group("peer access", ask_about_peer_access);
    run_group("object of another device", ask_about_objects_of_another_device);
    const struct {
        const char* name;
        void (*ask)();
    } accesses[] = {
        {"a load without peer access", [] { ask_about_memory_of_another("load", allocate_on_first); }},
        {"a store without peer access", [] { ask_about_memory_of_another("store", allocate_on_first); }},
        {"a store with peer access",
         [] {
             ask_about_memory_of_another("store", [](CUcontext first) {
                 (void)cuCtxEnablePeerAccess(first, 0);
                 return allocate_on_first(first);
             });
         }},
        {"a store after peer access",
         [] {
             ask_about_memory_of_another("store", [](CUcontext first) {
                 (void)cuCtxEnablePeerAccess(first, 0);
                 (void)cuCtxDisablePeerAccess(first);
                 return allocate_on_first(first);
             });
         }},
        {"a store with peer access in the other direction",
         [] {
             ask_about_memory_of_another("store", [](CUcontext first) {
                 const CUcontext second = cuCtxGetCurrent().value;
                 (void)cuCtxPushCurrent(first);
                 (void)cuCtxEnablePeerAccess(second, 0);
                 (void)cuCtxPopCurrent();
                 return allocate_on_first(first);
             });
         }},
        {"a load from a pool", [] { ask_about_memory_of_another("load", allocate_from_pool_of_first); }},
        {"a load from a pool with peer access",
         [] {
             ask_about_memory_of_another("load", [](CUcontext first) {
                 (void)cuCtxEnablePeerAccess(first, 0);
                 return allocate_from_pool_of_first(first);
             });
         }},
        {"a load from a pool with access",
         [] {
             ask_about_memory_of_another("load", [](CUcontext first) {
                 const CUmemAccessDesc access{location_of(1), CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
                 (void)cuMemPoolSetAccess(cuDeviceGetDefaultMemPool(0).value, &access, 1);
                 return allocate_from_pool_of_first(first);
             });
         }},
        {"a load from a mapping", [] { ask_about_memory_of_another("load", [](CUcontext) { return map_on_first(false); }); }},
        {"a load from a mapping with access",
         [] { ask_about_memory_of_another("load", [](CUcontext) { return map_on_first(true); }); }},
        {"a store to a variable",
         [] {
             ask_about_memory_of_another("store", [](CUcontext first) {
                 (void)cuCtxPushCurrent(first);
                 const CUdeviceptr variable = cuModuleGetGlobal(cuModuleLoadData(kernels).value, "word").value1;
                 (void)cuCtxPopCurrent();
                 return variable;
             });
         }},
    };
    for (const auto& access : accesses) run_group(std::string("kernel of device 1 with ") + access.name, access.ask);
}

}  // namespace answers
