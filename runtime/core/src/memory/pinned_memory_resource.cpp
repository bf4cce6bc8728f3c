// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/pinned_memory_resource.hpp>

#include "memory/memory_pool.hpp"
#include "support/driver.hpp"

namespace cubind {
namespace {

std::shared_ptr<detail::MemoryPool> make(const PinnedMemoryResourceOptions& options) {
    (void)Device::count();  // starts the driver
    driver::CUmemPoolProps properties{};
    properties.allocType = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = options.numa_id ? driver::CU_MEM_LOCATION_TYPE_HOST_NUMA : driver::CU_MEM_LOCATION_TYPE_HOST;
    properties.location.id = options.numa_id.value_or(0);
    properties.maxSize = options.max_size;
    detail::PoolPlace place;
    place.is_host_accessible = true;
    try {
        return detail::MemoryPool::make(properties, place);
    } catch (const Error& error) {
        throw Error(error, options.numa_id
                               ? "pools on a NUMA node of the host need a driver of CUDA 12.9 or later, the device attribute "
                                 "HOST_NUMA_MEMORY_POOLS_SUPPORTED, and a node of that number; LegacyPinnedMemoryResource needs nothing"
                               : "pools of pinned memory need a driver of CUDA 13.0 or later and the device attribute "
                                 "HOST_MEMORY_POOLS_SUPPORTED; LegacyPinnedMemoryResource needs neither");
    }
}

}  // namespace

PinnedMemoryResource::PinnedMemoryResource(const PinnedMemoryResourceOptions& options)
    : PoolMemoryResource(make(options)), numa_id_(options.numa_id) {
    // At first only the host may use such memory.
    set_peer_accessible_by(Device::all());
}

}  // namespace cubind
