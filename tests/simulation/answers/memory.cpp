// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "groups.hpp"

namespace answers {

namespace {

void ask_about_pointer(const char* kind, CUdeviceptr address) {
    static const CUpointer_attribute integers[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                   CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                                   CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                                   CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                                   CU_POINTER_ATTRIBUTE_MAPPED,
                                                   CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
                                                   CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
                                                   CU_POINTER_ATTRIBUTE_ACCESS_FLAGS};
    for (const CUpointer_attribute attribute : integers) {
        long value = 0;  // the driver writes 1, 4 or 8 bytes
        const std::string question = std::string(to_string(attribute)) + " of " + kind;
        const auto asked = ask(question.c_str(), [&] { return cuPointerGetAttribute(&value, attribute, address); });
        if (asked.ok()) report(("value of " + question).c_str(), static_cast<int>(value));
    }
    static const CUpointer_attribute handles[] = {CU_POINTER_ATTRIBUTE_CONTEXT,        CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                                  CU_POINTER_ATTRIBUTE_HOST_POINTER,   CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                                  CU_POINTER_ATTRIBUTE_BUFFER_ID,      CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                                                  CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID};
    for (const CUpointer_attribute attribute : handles) {
        unsigned long long value = 0;
        const std::string question = std::string(to_string(attribute)) + " of " + kind;
        const auto asked = ask(question.c_str(), [&] { return cuPointerGetAttribute(&value, attribute, address); });
        if (asked.ok()) report(("value of " + question).c_str(), value);
    }
    std::size_t size = 0;
    const std::string question = std::string("RANGE_SIZE of ") + kind;
    const auto asked =
        ask(question.c_str(), [&] { return cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address); });
    if (asked.ok()) report(("value of " + question).c_str(), size);
}

void ask_about_pointer_lists(CUdeviceptr memory) {
    int kind = 99;
    int ordinal = 99;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void* values[] = {&kind, &ordinal};
    ASK(cuPointerGetAttributes(2, attributes, values, memory));
    REPORT(kind);
    REPORT(ordinal);
    ASK(cuPointerGetAttributes(2, attributes, values, bad_address));
    REPORT(kind);
    REPORT(ordinal);
    ASK(cuPointerGetAttributes(0, attributes, values, memory));
    ASK(cuPointerGetAttributes(2, nullptr, values, memory));
    ASK(cuPointerGetAttributes(2, attributes, nullptr, memory));
    ASK(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    ASK(cuPointerGetAttribute(&kind, static_cast<CUpointer_attribute>(999), memory));
    ASK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0));
    const unsigned one = 1;
    ASK(cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
    ASK(cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    ASK(cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, bad_address));
    ASK(cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
}

// Which memory accepts that its synchronous operations wait.
void ask_about_synchronous_operations(const std::string& kind, CUdeviceptr memory) {
    const auto sync = CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    for (const unsigned value : {1u, 0u}) {
        ask(("cuPointerSetAttribute SYNC_MEMOPS " + std::to_string(value) + " of " + kind).c_str(),
            [&] { return cuPointerSetAttribute(&value, sync, memory); });
        unsigned found = 77;
        ask(("cuPointerGetAttribute SYNC_MEMOPS of " + kind).c_str(),
            [&] { return cuPointerGetAttribute(&found, sync, memory); });
        report(("SYNC_MEMOPS of " + kind).c_str(), found);
    }
}

void ask_about_synchronous_operations() {
    ask_about_synchronous_operations("pinned memory", reinterpret_cast<CUdeviceptr>(cuMemHostAlloc(4096, 0).value));
    ask_about_synchronous_operations("managed memory", cuMemAllocManaged(4096, CU_MEM_ATTACH_GLOBAL).value);
    ask_about_synchronous_operations("memory of a pool", cuMemAllocAsync(4096, nullptr).value);
    constexpr std::size_t unit = std::size_t{2} << 20;
    for (const bool is_capable : {false, true}) {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.allocFlags.gpuDirectRDMACapable = is_capable;
        const auto memory = cuMemCreate(unit, &properties, 0);
        const CUdeviceptr address = cuMemAddressReserve(unit, 0, 0, 0).value;
        (void)cuMemMap(address, unit, 0, memory.value, 0);
        const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        (void)cuMemSetAccess(address, unit, &access, 1);
        ask_about_synchronous_operations(is_capable ? "virtual memory for network adapters" : "virtual memory", address);
    }
}

void ask_about_host_memory() {
    void* const pinned = ASK(cuMemHostAlloc(4096, 0)).value;
    void* const mapped = ASK(cuMemHostAlloc(4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE)).value;
    void* const legacy = ASK(cuMemAllocHost(4096)).value;
    ASK(cuMemHostAlloc(4096, CU_MEMHOSTALLOC_WRITECOMBINED));
    ASK(cuMemHostAlloc(4096, 8));
    ASK(cuMemHostAlloc(4096, 0x100));
    ASK(cuMemHostAlloc(0, 0));
    ASK(cuMemAllocHost(0));
    ASK(cuMemHostAlloc(std::size_t{1} << 60, 0));
    ASK(cuMemHostGetFlags(pinned));
    ASK(cuMemHostGetFlags(mapped));
    ASK(cuMemHostGetFlags(legacy));
    ASK(cuMemHostGetFlags(nullptr));
    ASK(cuMemHostGetDevicePointer(pinned, 0));
    ASK(cuMemHostGetDevicePointer(mapped, 0));
    ASK(cuMemHostGetDevicePointer(mapped, 1));
    ASK(cuMemHostGetDevicePointer(nullptr, 0));
    ask_about_pointer("pinned memory", reinterpret_cast<CUdeviceptr>(pinned));
    ASK(cuMemFree(reinterpret_cast<CUdeviceptr>(pinned)));
    ASK(cuMemFreeHost(static_cast<char*>(mapped) + 8));
    ASK(cuMemFreeHost(mapped));
    ASK(cuMemFreeHost(mapped));
    ASK(cuMemFreeHost(nullptr));
    void* const own = std::aligned_alloc(4096, 8192);
    int local = 0;
    ask_about_pointer("unregistered memory", reinterpret_cast<CUdeviceptr>(own));
    ASK(cuMemHostGetFlags(&local));
    ASK(cuMemHostGetDevicePointer(own, 0));
    ASK(cuMemHostRegister(own, 4096, 0));
    ASK(cuMemHostRegister(own, 4096, 0));
    ASK(cuMemHostRegister(static_cast<char*>(own) + 2048, 4096, 0));
    ASK(cuMemHostGetFlags(own));
    ASK(cuMemHostGetDevicePointer(own, 0));
    ask_about_pointer("registered memory", reinterpret_cast<CUdeviceptr>(own));
    ASK(cuMemFreeHost(own));
    ASK(cuMemHostUnregister(static_cast<char*>(own) + 8));
    ASK(cuMemHostUnregister(own));
    ASK(cuMemHostUnregister(own));
    ASK(cuMemHostUnregister(nullptr));
    ASK(cuMemHostRegister(own, 100, CU_MEMHOSTREGISTER_DEVICEMAP));
    ASK(cuMemHostUnregister(own));
    ASK(cuMemHostRegister(own, 0, 0));
    ASK(cuMemHostRegister(nullptr, 4096, 0));
    ASK(cuMemHostRegister(own, 4096, 0x100));
    ASK(cuMemHostRegister(pinned, 4096, 0));
}

}  // namespace

void ask_about_memory() {
    use_device();
    const CUdeviceptr memory = ASK(cuMemAlloc(1000)).value;
    ASK(cuMemAlloc(0));
    ASK(cuMemAlloc(std::size_t{1} << 45));
    ASK(cuMemAlloc(~std::size_t{0}));
    REPORT(memory % 256);
    const auto pitched = ASK(cuMemAllocPitch(100, 4, 4));
    ASK(cuMemAllocPitch(513, 4, 16));
    ASK(cuMemAllocPitch(100, 4, 3));
    ASK(cuMemAllocPitch(100, 4, 32));
    ASK(cuMemAllocPitch(0, 4, 4));
    ASK(cuMemAllocPitch(100, 0, 4));
    ASK(cuMemGetAddressRange(memory));
    ASK(cuMemGetAddressRange(memory + 999));
    ASK(cuMemGetAddressRange(pitched.value1));
    ASK(cuMemGetAddressRange(bad_address));
    ASK(cuMemGetAddressRange(0));
    ask("cuMemGetInfo()", [] { return cubind::Result<CUresult>{cuMemGetInfo().status}; });
    ask_about_pointer("device memory", memory);
    ask_about_pointer("the middle of device memory", memory + 100);
    ask_about_pointer("an address without memory", bad_address);
    ask_about_pointer_lists(memory);
    ASK(cuMemFree(memory + 16));
    ASK(cuMemFreeHost(reinterpret_cast<void*>(memory)));
    ASK(cuMemFree(memory));
    ASK(cuMemFree(memory));
    ASK(cuMemFree(0));
    ASK(cuMemFree(bad_address));
    ask_about_pointer("freed memory", memory);
    ASK(cuMemsetD8(memory, 0, 1));
    ask_about_host_memory();
    ask_about_synchronous_operations();
}

}  // namespace answers
