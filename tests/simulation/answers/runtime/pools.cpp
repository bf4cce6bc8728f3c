// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "runtime/groups.hpp"

namespace answers {

namespace {

void ask_about_attributes(cudaMemPool_t pool) {
    for (int i = 0; i <= 16; ++i) {
        const auto attribute = static_cast<cudaMemPoolAttr>(i);
        unsigned long long value = 77;
        ask(("cudaMemPoolGetAttribute " + std::to_string(i)).c_str(),
            [&] { return cudaMemPoolGetAttribute(pool, attribute, &value); });
        // The reservations are those of the driver's units.
        if (i != cudaMemPoolAttrReservedMemCurrent && i != cudaMemPoolAttrReservedMemHigh) {
            report(("value of pool attribute " + std::to_string(i)).c_str(), std::to_string(value).c_str());
        }
        unsigned long long zero = 0;
        ask(("cudaMemPoolSetAttribute 0 " + std::to_string(i)).c_str(),
            [&] { return cudaMemPoolSetAttribute(pool, attribute, &zero); });
    }
    unsigned long long one = 1;
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one));
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &one));
}

}  // namespace

void ask_about_runtime_pools() {
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    void* const memory = ASK(cudaMallocAsync(4096, stream)).value;
    ASK(cudaMallocAsync(0, stream));
    ASK(cudaMallocAsync(std::size_t{1} << 60, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaPointerGetAttributes(memory));
    ASK(cudaFreeAsync(static_cast<char*>(memory) + 16, stream));
    ASK(cudaFreeAsync(memory, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaFreeAsync(bad_pointer, stream));
    ASK(cudaFree(ASK(cudaMallocAsync(4096, stream)).value));
    ASK(cudaFreeAsync(ASK(cudaMalloc(4096)).value, stream));
    ASK(cudaMallocAsync(64, nullptr));
    ASK(cudaMallocAsync(64, cudaStreamPerThread));
    ASK(cudaDeviceSynchronize());
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, {0}};
    const cudaMemPool_t pool = ASK(cudaMemPoolCreate(&properties)).value;
    ask_about_attributes(pool);
    void* const from_pool = ASK(cudaMallocFromPoolAsync(4096, pool, stream)).value;
    ASK(cudaMallocFromPoolAsync(0, pool, stream));
    ASK(cudaMemPoolExportPointer(from_pool));
    int descriptor = -1;
    ASK(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    ASK(cudaMemPoolTrimTo(pool, 0));
    ASK(cudaStreamSynchronize(stream));
    cudaMemLocation device{cudaMemLocationTypeDevice, {0}};
    cudaMemLocation wrong_device{cudaMemLocationTypeDevice, {99}};
    cudaMemLocation host{cudaMemLocationTypeHost, {0}};
    cudaMemLocation none{};
    ASK(cudaMemPoolGetAccess(pool, &device));
    ASK(cudaMemPoolGetAccess(pool, &wrong_device));
    ASK(cudaMemPoolGetAccess(pool, &host));
    ASK(cudaMemPoolGetAccess(pool, &none));
    cudaMemAccessDesc access{device, cudaMemAccessFlagsProtReadWrite};
    ASK(cudaMemPoolSetAccess(pool, &access, 1));
    ASK(cudaMemPoolSetAccess(pool, &access, 0));
    access.flags = cudaMemAccessFlagsProtNone;
    ASK(cudaMemPoolSetAccess(pool, &access, 1));
    access.flags = cudaMemAccessFlagsProtRead;
    ASK(cudaMemPoolSetAccess(pool, &access, 1));
    access = {wrong_device, cudaMemAccessFlagsProtReadWrite};
    ASK(cudaMemPoolSetAccess(pool, &access, 1));
    ASK(cudaDeviceSetMemPool(0, pool));
    REPORT(cudaDeviceGetMemPool(0).value == pool);
    ASK(cudaMemGetDefaultMemPool(&device, cudaMemAllocationTypePinned));
    ASK(cudaMemGetDefaultMemPool(&device, static_cast<cudaMemAllocationType>(9)));
    ASK(cudaMemGetDefaultMemPool(&wrong_device, cudaMemAllocationTypePinned));
    ASK(cudaMemGetDefaultMemPool(&none, cudaMemAllocationTypePinned));
    ASK(cudaMemGetMemPool(&device, cudaMemAllocationTypePinned));
    ASK(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, pool));
    ASK(cudaMemSetMemPool(&wrong_device, cudaMemAllocationTypePinned, pool));
    ASK(cudaFreeAsync(from_pool, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaMemPoolDestroy(pool));
    REPORT(cudaDeviceGetMemPool(0).value == cudaDeviceGetDefaultMemPool(0).value);
    ASK(cudaMemPoolDestroy(cudaDeviceGetDefaultMemPool(0).value));
    properties.location.id = 99;
    ASK(cudaMemPoolCreate(&properties));
    properties.location = {};
    ASK(cudaMemPoolCreate(&properties));
    properties.location = device;
    properties.allocType = cudaMemAllocationTypeInvalid;
    ASK(cudaMemPoolCreate(&properties));
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = static_cast<cudaMemAllocationHandleType>(0x40);
    ASK(cudaMemPoolCreate(&properties));
    properties.handleTypes = cudaMemHandleTypeWin32;
    ASK(cudaMemPoolCreate(&properties));
    properties.handleTypes = cudaMemHandleTypeNone;
    properties.maxSize = 1 << 20;
    ASK(cudaMemPoolCreate(&properties));
    for (int i = 0; i <= 4; ++i) {
        unsigned long long value = 77;
        const auto attribute = static_cast<cudaGraphMemAttributeType>(i);
        ask(("cudaDeviceGetGraphMemAttribute " + std::to_string(i)).c_str(),
            [&] { return cudaDeviceGetGraphMemAttribute(0, attribute, &value); });
        report(("value of graph memory attribute " + std::to_string(i)).c_str(), std::to_string(value).c_str());
        value = 0;
        ask(("cudaDeviceSetGraphMemAttribute 0 " + std::to_string(i)).c_str(),
            [&] { return cudaDeviceSetGraphMemAttribute(0, attribute, &value); });
    }
    ASK(cudaDeviceGraphMemTrim(0));
    ASK(cudaDeviceGraphMemTrim(99));
    ASK(cudaGetLastError());
    ASK(cudaFreeAsync(nullptr, stream));
    ASK(cudaMemPoolDestroy(nullptr));
    ASK(cudaMallocFromPoolAsync(64, nullptr, stream));
    ASK(cudaMemPoolTrimTo(nullptr, 0));
    ASK(cudaMemPoolCreate(nullptr));
}

}  // namespace answers
