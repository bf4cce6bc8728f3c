// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "groups.hpp"

namespace answers {

namespace {

constexpr std::size_t unit = std::size_t{2} << 20;

CUmemAllocationProp properties_of(CUmemLocationType type, int id = 0) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = type;
    properties.location.id = id;
    return properties;
}

void ask_about_creation() {
    CUmemAllocationProp device = properties_of(CU_MEM_LOCATION_TYPE_DEVICE);
    ASK(cuMemGetAllocationGranularity(&device, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASK(cuMemGetAllocationGranularity(&device, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    ASK(cuMemGetAllocationGranularity(&device, static_cast<CUmemAllocationGranularity_flags>(2)));
    ASK(cuMemGetAllocationGranularity(nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    for (int i = 0; i <= 5; ++i) {
        CUmemAllocationProp each = properties_of(static_cast<CUmemLocationType>(i));
        const std::string type = std::to_string(i);
        ask(("cuMemGetAllocationGranularity of location type " + type).c_str(),
            [&] { return cuMemGetAllocationGranularity(&each, CU_MEM_ALLOC_GRANULARITY_MINIMUM); });
        const auto made = ask(("cuMemCreate at location type " + type).c_str(), [&] { return cuMemCreate(unit, &each, 0); });
        if (made.ok()) ask(("cuMemRelease of location type " + type).c_str(), [&] { return cuMemRelease(made.value); });
    }
    CUmemAllocationProp far = properties_of(CU_MEM_LOCATION_TYPE_DEVICE, 99);
    ASK(cuMemCreate(unit, &far, 0));
    ASK(cuMemGetAllocationGranularity(&far, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASK(cuMemCreate(unit + 1, &device, 0));
    ASK(cuMemCreate(0, &device, 0));
    ASK(cuMemCreate(unit, nullptr, 0));
    ASK(cuMemCreate(unit, &device, 1));
    ASK(cuMemCreate(std::size_t{1} << 45, &device, 0));
    device.type = CU_MEM_ALLOCATION_TYPE_MANAGED;
    ASK(cuMemCreate(unit, &device, 0));
    device.type = static_cast<CUmemAllocationType>(9);
    ASK(cuMemCreate(unit, &device, 0));
    device.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    device.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    ASK(cuMemCreate(unit, &device, 0));
    ASK(cuMemRelease(0));
}

void ask_about_reservations() {
    ASK(cuMemAddressReserve(unit, 0, 0, 0));
    ASK(cuMemAddressReserve(unit + 1, 0, 0, 0));
    ASK(cuMemAddressReserve(0, 0, 0, 0));
    ASK(cuMemAddressReserve(unit, 3, 0, 0));
    ASK(cuMemAddressReserve(unit, unit * 4, 0, 0));
    ASK(cuMemAddressReserve(unit, 0, 0, 1));
    ASK(cuMemAddressReserve(std::size_t{1} << 60, 0, 0, 0));
    ASK(cuMemAddressFree(0, unit));
    ASK(cuMemAddressFree(bad_address, unit));
    const CUdeviceptr address = cuMemAddressReserve(2 * unit, 0, 0, 0).value;
    ASK(cuMemAddressFree(address, unit));
    ASK(cuMemAddressFree(address + unit, unit));
    ASK(cuMemAddressFree(address, 2 * unit));
    ASK(cuMemAddressFree(address, 2 * unit));
}

void ask_about_mappings() {
    const CUmemAllocationProp device = properties_of(CU_MEM_LOCATION_TYPE_DEVICE);
    const CUmemGenericAllocationHandle memory = ASK(cuMemCreate(2 * unit, &device, 0)).value;
    const CUdeviceptr address = ASK(cuMemAddressReserve(4 * unit, 0, 0, 0)).value;
    CUmemLocation here = device.location;
    ask("cuMemGetAccess before a mapping", [&] { return cuMemGetAccess(&here, address); });
    ASK(cuMemUnmap(address, unit));
    ASK(cuMemMap(address, 2 * unit, 0, 0, 0));
    ASK(cuMemMap(address, 2 * unit, unit, memory, 0));
    ASK(cuMemMap(address, 2 * unit, 0, memory, 1));
    ASK(cuMemMap(address + 1, 2 * unit, 0, memory, 0));
    ASK(cuMemMap(address, unit + 1, 0, memory, 0));
    ASK(cuMemMap(address, 0, 0, memory, 0));
    ASK(cuMemMap(bad_address, 2 * unit, 0, memory, 0));
    ASK(cuMemMap(address, unit, 0, memory, 0));
    ASK(cuMemMap(address, 2 * unit, 0, memory, 0));
    ASK(cuMemMap(address, 2 * unit, 0, memory, 0));
    ASK(cuMemsetD8(address, 0, 16));
    CUmemAccessDesc access{here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    ASK(cuMemSetAccess(address, 2 * unit, nullptr, 1));
    ASK(cuMemSetAccess(address, 2 * unit, &access, 0));
    ASK(cuMemSetAccess(address, 4 * unit, &access, 1));
    ASK(cuMemSetAccess(address + 1, unit, &access, 1));
    ASK(cuMemSetAccess(bad_address, unit, &access, 1));
    access.location.id = 99;
    ASK(cuMemSetAccess(address, 2 * unit, &access, 1));
    access.location.id = 0;
    access.flags = static_cast<CUmemAccess_flags>(2);
    ASK(cuMemSetAccess(address, 2 * unit, &access, 1));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASK(cuMemSetAccess(address, 2 * unit, &access, 1));
    unsigned long long flags = cuMemGetAccess(&here, address).value;
    REPORT(static_cast<int>(flags));
    ASK(cuMemGetAccess(&here, bad_address));
    ASK(cuMemGetAccess(nullptr, address));
    ASK(cuMemsetD8(address, 0, 2 * unit));
    ASK(cuMemGetAddressRange(address));
    ASK(cuMemFree(address));
    const CUmemGenericAllocationHandle again = ASK(cuMemRetainAllocationHandle(reinterpret_cast<void*>(address))).value;
    REPORT(again == memory);
    ASK(cuMemRetainAllocationHandle(reinterpret_cast<void*>(bad_address)));
    ASK(cuMemRetainAllocationHandle(nullptr));
    const auto properties = ASK(cuMemGetAllocationPropertiesFromHandle(memory));
    REPORT(properties.value.type);
    REPORT(properties.value.location.type);
    ASK(cuMemGetAllocationPropertiesFromHandle(0));
    int descriptor = -1;
    ASK(cuMemExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    ASK(cuMemRelease(again));
    ASK(cuMemAddressFree(address, 4 * unit));
    ASK(cuMemUnmap(address + 1, unit));
    ASK(cuMemUnmap(address, unit));
    ASK(cuMemRelease(memory));
    ASK(cuMemUnmap(address, 2 * unit));
    ASK(cuMemUnmap(address, 2 * unit));
    ASK(cuMemAddressFree(address, 4 * unit));
}

void ask_about_sharing() {
    CUmemAllocationProp device = properties_of(CU_MEM_LOCATION_TYPE_DEVICE);
    device.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    const CUmemGenericAllocationHandle memory = ASK(cuMemCreate(unit, &device, 0)).value;
    int descriptor = -1;
    ASK(cuMemExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
    ASK(cuMemExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_WIN32, 0));
    ASK(cuMemExportToShareableHandle(nullptr, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    ASK(cuMemExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    REPORT(descriptor >= 0);
    void* const shared = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
    ASK(cuMemImportFromShareableHandle(shared, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    ASK(cuMemImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{0}), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    ASK(cuMemImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{999}), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    ASK(cuMemRelease(memory));
}

}  // namespace

void ask_about_virtual_memory() {
    use_device();
    ask_about_creation();
    ask_about_reservations();
    ask_about_mappings();
    ask_about_sharing();
}

}  // namespace answers
