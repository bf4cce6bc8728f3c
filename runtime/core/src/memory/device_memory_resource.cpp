// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/driver/constants.hpp>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "memory/decompression.hpp"
#include "memory/default_memory.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {
namespace {

const std::shared_ptr<detail::MemoryPool>& default_pool(Device device) {
    return detail::DefaultMemory::of(device).require_pool(device);
}

void check_shareable(Device device, SharingHandle kinds) {
    const auto has = static_cast<SharingHandle>(
        detail::DeviceTable::get().at(device.ordinal()).attribute(driver::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES));
    if ((has & kinds) == kinds) return;
    detail::throw_not_supported(
        "cuMemPoolCreate",
        detail::concat(
            "device ", device.ordinal(), " has no memory pools for several processes with handles of the types ",
            static_cast<unsigned int>(kinds), ", but of ", static_cast<unsigned int>(has),
            " (CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES); create the pool without ipc_enabled and sharing, or "
            "share a VirtualBuffer"));
}

std::shared_ptr<detail::MemoryPool> make(Device device, const DeviceMemoryResourceOptions& options) {
    (void)default_pool(device);
    driver::CUmemPoolProps properties{};
    properties.allocType = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device.ordinal();
    properties.maxSize = options.max_size;
    const SharingHandle kinds = detail::kinds_of_pool(options.ipc_enabled, options.sharing);
    if (kinds != SharingHandle::none) check_shareable(device, kinds);
    properties.handleTypes = static_cast<driver::CUmemAllocationHandleType>(kinds);
    if (options.hw_decompress) {
        if (detail::decompression_mask(device) == 0) detail::throw_no_decompression("cuMemPoolCreate", device);
        properties.usage = driver::CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS;
    }
    auto pool = detail::MemoryPool::make(properties, {.device = device, .max_size = options.max_size});
    pool->set(driver::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, driver::cuuint64_t{options.release_threshold});
    return pool;
}

}  // namespace

DeviceMemoryResource::DeviceMemoryResource(Device device) : PoolMemoryResource(default_pool(device)) {}

DeviceMemoryResource::DeviceMemoryResource(Device device, const DeviceMemoryResourceOptions& options)
    : PoolMemoryResource(make(device, options)) {}

DeviceMemoryResource DeviceMemoryResource::from_native_handle(driver::CUmemoryPool pool, Device device) {
    if (pool == nullptr) detail::throw_misuse("the handle of a memory pool must not be nullptr");
    return DeviceMemoryResource(std::make_shared<detail::MemoryPool>(pool, true, detail::PoolPlace{device}));
}

DeviceMemoryResource DeviceMemoryResource::from_allocation_handle(Device device, const IpcAllocationHandle& handle) {
    (void)default_pool(device);
    return DeviceMemoryResource(detail::MemoryPool::import(handle, {.device = device}));
}

DeviceMemoryResource DeviceMemoryResource::from_registry(const PoolUuid& uuid) {
    return DeviceMemoryResource(detail::MemoryPool::from_registry(uuid, true));
}

Device DeviceMemoryResource::device() const {
    return *ResourceHandle::device();
}

}  // namespace CUBIND_NAMESPACE
