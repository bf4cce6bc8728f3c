// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device_memory_resource.hpp>

#include "memory/default_memory.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"
#include "support/driver.hpp"

namespace CUBIND_NAMESPACE {
namespace {

[[noreturn]] void throw_no_pools(Device device) {
    throw Error("driver", "cuDeviceGetDefaultMemPool", driver::CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED",
                std::string("device ")
                    .append(std::to_string(device.ordinal()))
                    .append(" has no memory pools; Device::memory_resource() works without them"));
}

const std::shared_ptr<detail::MemoryPool>& default_pool(Device device) {
    const auto& pool = detail::DefaultMemory::of(device).pool(device);
    if (pool == nullptr) throw_no_pools(device);
    return pool;
}

std::shared_ptr<detail::MemoryPool> make(Device device, const DeviceMemoryResourceOptions& options) {
    (void)default_pool(device);
    driver::CUmemPoolProps properties{};
    properties.allocType = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device.ordinal();
    properties.maxSize = options.max_size;
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

Device DeviceMemoryResource::device() const {
    return *ResourceHandle::device();
}

}  // namespace CUBIND_NAMESPACE
