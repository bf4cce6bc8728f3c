// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels with a mistake. A fault ends all work of the process, so that each has a process of its own.
#include "mistakes/faults.hpp"

#include <cstdlib>

#include "runner.hpp"

namespace answers {

void ask_about_launch(const char* kernel, CUdeviceptr parameter) {
    const CUfunction function = load_kernel(kernel);
    const CUfunction nothing = load_kernel("nothing");
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    void* parameters[] = {&parameter};
    ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamQuery(stream));
    ASK(cuCtxSynchronize());
    ASK(cuEventRecord(event, stream));
    ASK(cuEventQuery(event));
    ASK(cuMemAlloc(64));
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuDeviceGetCount());
}

namespace {

CUdeviceptr freed(CUdeviceptr memory) {
    if (!cuMemFree(memory).ok()) std::exit(7);
    return memory;
}

// Memory that is mapped with these rights.
CUdeviceptr mapped(CUmemAccess_flags flags) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const CUdeviceptr address = cuMemAddressReserve(unit, 0, 0, 0).value;
    const CUmemAccessDesc access{properties.location, flags};
    if (!cuMemMap(address, unit, 0, cuMemCreate(unit, &properties, 0).value, 0).ok()) std::exit(8);
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && !cuMemSetAccess(address, unit, &access, 1).ok()) std::exit(9);
    return address;
}

constexpr std::size_t large = 32 * unit;  // more than the driver keeps for small allocations

// A kernel whose parameter is a wrong address or offset.
template <class Parameter>
void ask_about(const char* kernel, Parameter parameter) {
    use_device();
    ask_about_launch(kernel, parameter());
}

void ask_about_a_store_to_memory_of_a_context() {
    use_device();
    (void)cuCtxCreate_v2(0, 0);
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    (void)cuCtxPopCurrent();
    ask_about_launch("store", memory);
}

// What a fault leaves usable.
void ask_about_the_time_after_a_fault() {
    const CUcontext context = use_device();
    const CUfunction function = load_kernel("store");
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUdeviceptr memory = cuMemAlloc(64).value;
    const CUgraph graph = cuGraphCreate(0).value;
    int host = 0;
    CUdeviceptr null = 0;
    void* parameters[] = {&null};
    ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    ASK(cuCtxSynchronize());
    ASK(cuMemcpyDtoH(&host, memory, sizeof host));
    ASK(cuMemcpyHtoDAsync(memory, &host, sizeof host, stream));
    ASK(cuMemsetD8(memory, 0, 16));
    ask("cuMemGetInfo()", [] { return cubind::Result<CUresult>{cuMemGetInfo().status}; });
    ASK(cuStreamCreate(0));
    ASK(cuEventCreate(0));
    ASK(cuModuleLoadData(kernels));
    ASK(cuStreamGetFlags(stream));
    ASK(cuCtxGetCurrent());
    ASK(cuCtxGetDevice());
    ASK(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    ASK(cuGraphInstantiate(graph, 0));
    ASK(cuEventDestroy(event));
    ASK(cuStreamDestroy(stream));
    ASK(cuMemFree(memory));
    ask("cuCtxCreate after a fault", [] { return cuCtxCreate_v2(0, 0); });
    ask("cuMemAlloc after cuCtxCreate", [] { return cuMemAlloc(64); });
    (void)cuCtxSetCurrent(context);
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuDevicePrimaryCtxRetain(0));
    ASK(cuMemAlloc(64));
}

}  // namespace

void ask_about_faults() {
    const struct {
        const char* name;
        void (*ask)();
    } faults[] = {
        {"a store to device memory", [] { ask_about("store", [] { return cuMemAlloc(unit).value; }); }},
        {"a load from null", [] { ask_about("load", [] { return CUdeviceptr{0}; }); }},
        {"a store to null", [] { ask_about("store", [] { return CUdeviceptr{0}; }); }},
        {"an atomic addition to null", [] { ask_about("add", [] { return CUdeviceptr{0}; }); }},
        {"a load from an unmapped address", [] { ask_about("load", [] { return bad_address; }); }},
        {"a store to an address beyond 49 bits", [] { ask_about("store", [] { return CUdeviceptr{1} << 60; }); }},
        {"a load from freed memory", [] { ask_about("load", [] { return freed(cuMemAlloc(large).value); }); }},
        {"a store to freed managed memory",
         [] { ask_about("store", [] { return freed(cuMemAllocManaged(large, CU_MEM_ATTACH_GLOBAL).value); }); }},
        {"a store far behind an allocation",
         [] { ask_about("store", [] { return cuMemAlloc(large).value + (CUdeviceptr{1} << 40); }); }},
        {"a load from a misaligned address", [] { ask_about("load", [] { return cuMemAlloc(unit).value + 2; }); }},
        {"a store to a misaligned address", [] { ask_about("store", [] { return cuMemAlloc(unit).value + 1; }); }},
        {"an atomic addition to a misaligned address", [] { ask_about("add", [] { return cuMemAlloc(unit).value + 2; }); }},
        {"a load from pageable memory",
         [] { ask_about("load", [] { return reinterpret_cast<CUdeviceptr>(std::calloc(1, 4096)); }); }},
        {"a store to pinned memory",
         [] { ask_about("store", [] { return reinterpret_cast<CUdeviceptr>(cuMemHostAlloc(4096, 0).value); }); }},
        {"a load from reserved addresses", [] { ask_about("load", [] { return cuMemAddressReserve(unit, 0, 0, 0).value; }); }},
        {"a load from a mapping without access", [] { ask_about("load", [] { return mapped(CU_MEM_ACCESS_FLAGS_PROT_NONE); }); }},
        {"a load from a mapping for reads", [] { ask_about("load", [] { return mapped(CU_MEM_ACCESS_FLAGS_PROT_READ); }); }},
        {"a store to a mapping for reads", [] { ask_about("store", [] { return mapped(CU_MEM_ACCESS_FLAGS_PROT_READ); }); }},
        {"a store to memory of another context of the device", ask_about_a_store_to_memory_of_a_context},
        {"a store to shared memory", [] { ask_about("store_shared", [] { return CUdeviceptr{1020}; }); }},
        {"a store beyond shared memory", [] { ask_about("store_shared", [] { return CUdeviceptr{1} << 20; }); }},
        {"a misaligned store to shared memory", [] { ask_about("store_shared", [] { return CUdeviceptr{2}; }); }},
        {"a store to local memory", [] { ask_about("store_local", [] { return CUdeviceptr{60}; }); }},
        {"a store beyond local memory", [] { ask_about("store_local", [] { return CUdeviceptr{1} << 30; }); }},
        {"a misaligned store to local memory", [] { ask_about("store_local", [] { return CUdeviceptr{2}; }); }},
        {"a store to a constant", [] { ask_about("store_constant", [] { return CUdeviceptr{0}; }); }},
        {"a trap", [] { ask_about("stop", [] { return CUdeviceptr{0}; }); }},
    };
    for (const auto& fault : faults) run_group(std::string("kernel with ") + fault.name, fault.ask);
    run_group("after a fault", ask_about_the_time_after_a_fault);
}

}  // namespace answers
