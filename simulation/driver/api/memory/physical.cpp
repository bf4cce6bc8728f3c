// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/virtual/shared_file.hpp"
#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult check_properties(const CUmemAllocationProp& requested) {
    const bool is_device = requested.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
    const bool is_handle =
        requested.requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE || requested.requestedHandleTypes == shareable_type;
    if (requested.type != CU_MEM_ALLOCATION_TYPE_PINNED || (!is_device && !is_host_location(requested.location)) || !is_handle) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return is_device && find_device(requested.location.id) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/// Creates memory of `size` bytes, which the caller has charged to the device. Returns null if the host cannot provide it.
std::shared_ptr<PhysicalMemory> create_memory(std::size_t size, const CUmemAllocationProp& properties, Device* device) {
    const auto handle = new_handle<CUmemGenericAllocationHandle>();
    if (properties.requestedHandleTypes == shareable_type) {
        auto file = SharedFile::create(size, properties);
        if (file == nullptr) return nullptr;
        return std::make_shared<PhysicalMemory>(handle, std::move(file), device, device != nullptr ? size : 0);
    }
    PhysicalStore& store = PhysicalStore::instance();
    const auto offset = store.allocate(size);
    if (!offset) return nullptr;
    try {
        return std::make_shared<PhysicalMemory>(handle, properties, size, device, *offset);
    } catch (const std::bad_alloc&) {
        store.free(*offset, size);
        return nullptr;
    }
}

/// Physical memory, found by its handle.
struct PhysicalCheck {
    explicit PhysicalCheck(CUmemGenericAllocationHandle handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        memory = machine().physical_handles.find(handle);
        if (memory == nullptr) status = CUDA_ERROR_INVALID_VALUE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }

    CUresult status;
    std::shared_ptr<PhysicalMemory> memory;
};

}  // namespace

extern "C" {

CUresult sim_cuMemGetAllocationGranularity(std::size_t* granularity, const CUmemAllocationProp* prop,
                                           CUmemAllocationGranularity_flags option) {
    if (const CUresult status = check_initialized()) return status;
    if (prop == nullptr || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) return CUDA_ERROR_INVALID_VALUE;
    return write_output(granularity, physical_granularity);
}

CUresult sim_cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t size, const CUmemAllocationProp* prop,
                         unsigned long long flags) {
    if (const CUresult status = check_initialized()) return status;
    if (handle == nullptr || prop == nullptr || flags != 0 || size == 0 || size % physical_granularity != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (const CUresult status = check_properties(*prop)) return status;
    Device* const device = is_host_location(prop->location) ? nullptr : find_device(prop->location.id);
    if (device != nullptr && !device->charge(size)) return CUDA_ERROR_OUT_OF_MEMORY;
    std::shared_ptr<PhysicalMemory> memory;
    try {
        memory = create_memory(size, *prop, device);
    } catch (const std::bad_alloc&) {
    }
    if (memory == nullptr) {
        if (device != nullptr) device->discharge(size);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return write_output(handle, machine().physical_handles.retain(memory));
}

CUresult sim_cuMemRelease(CUmemGenericAllocationHandle handle) {
    if (const CUresult status = check_initialized()) return status;
    return machine().physical_handles.release(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop, CUmemGenericAllocationHandle handle) {
    const Valid<PhysicalCheck> check(handle);
    return write_output(prop, check.memory->properties);
}

CUresult sim_cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr) {
    if (const CUresult status = check_initialized()) return status;
    const auto found = machine().memory.find(reinterpret_cast<std::uintptr_t>(addr));
    if (handle == nullptr || found == nullptr || found->mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_output(handle, machine().physical_handles.retain(found->mapping->memory));
}

CUresult sim_cuMemExportToShareableHandle(void* shareableHandle, CUmemGenericAllocationHandle handle,
                                          CUmemAllocationHandleType handleType, unsigned long long flags) {
    const Valid<PhysicalCheck> check(handle);
    const bool may_be_shared = check.memory->properties.requestedHandleTypes == handleType && handleType == shareable_type;
    if (shareableHandle == nullptr || flags != 0 || !may_be_shared) return CUDA_ERROR_INVALID_VALUE;
    const int descriptor = check.memory->file->share();
    return descriptor < 0 ? CUDA_ERROR_OPERATING_SYSTEM : write_output(static_cast<int*>(shareableHandle), descriptor);
}

CUresult sim_cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* osHandle,
                                            CUmemAllocationHandleType shHandleType) {
    if (const CUresult status = check_initialized()) return status;
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (shHandleType != shareable_type) return CUDA_ERROR_NOT_SUPPORTED;
    const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(osHandle));
    if (!is_open(descriptor)) return CUDA_ERROR_UNKNOWN;
    auto file = SharedFile::open(descriptor);
    if (file == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto memory = machine().physical_handles.find(*file);
    if (memory == nullptr) {
        // The ordinals of devices are the same in all processes of the simulation.
        const CUmemLocation& location = file->properties().location;
        Device* const device = is_host_location(location) ? nullptr : find_device(location.id);
        if (device == nullptr && !is_host_location(location)) return CUDA_ERROR_INVALID_DEVICE;
        memory = std::make_shared<PhysicalMemory>(new_handle<CUmemGenericAllocationHandle>(), std::move(file), device, 0);
    }
    return write_output(handle, machine().physical_handles.retain(memory));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
