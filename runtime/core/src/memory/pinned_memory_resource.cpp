// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/memory.hpp>

#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"
#include "memory/synchronous_memory.hpp"

namespace CUBIND_NAMESPACE {

// ---- from a pool ---------------------------------------------------------------------------------------------------------

namespace {

std::shared_ptr<detail::MemoryPool> make_pool(const PinnedMemoryResourceOptions& options) {
    const SharingHandle kinds = detail::kinds_of_pool(options.ipc_enabled, options.sharing);
    if (kinds != SharingHandle::none && !options.numa_id) {
        detail::throw_misuse(
            "a pool of pinned memory for several processes requires a NUMA node: set PinnedMemoryResourceOptions::numa_id, for "
            "example to 0");
    }
    (void)Device::count();  // initializes the driver
    driver::CUmemPoolProps properties{};
    properties.allocType = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = options.numa_id ? driver::CU_MEM_LOCATION_TYPE_HOST_NUMA : driver::CU_MEM_LOCATION_TYPE_HOST;
    properties.location.id = options.numa_id.value_or(0);
    properties.maxSize = options.max_size;
    properties.handleTypes = static_cast<driver::CUmemAllocationHandleType>(kinds);
    detail::PoolPlace place;
    place.is_host_accessible = true;
    place.max_size = options.max_size;
    try {
        return detail::MemoryPool::make(properties, place);
    } catch (const Error& error) {
        throw Error(error,
                    options.numa_id
                        ? "pools on a NUMA node of the host require a driver of CUDA 12.9 or later, the device attribute "
                          "HOST_NUMA_MEMORY_POOLS_SUPPORTED, and a node of that number; LegacyPinnedMemoryResource requires none "
                          "of these"
                        : "pools of pinned memory require a driver of CUDA 13.0 or later and the device attribute "
                          "HOST_MEMORY_POOLS_SUPPORTED; LegacyPinnedMemoryResource requires neither");
    }
}

}  // namespace

PinnedMemoryResource::PinnedMemoryResource(const PinnedMemoryResourceOptions& options)
    : PoolMemoryResource(make_pool(options)), numa_id_(options.numa_id) {
    // A new pool is accessible only to the host.
    set_peer_accessible_by(Device::all());
}

PinnedMemoryResource PinnedMemoryResource::from_allocation_handle(const IpcAllocationHandle& handle) {
    (void)Device::count();  // initializes the driver
    detail::PoolPlace place;
    place.is_host_accessible = true;
    PinnedMemoryResource opened(detail::MemoryPool::import(handle, place));
    if (opened.is_mapped()) opened.set_peer_accessible_by(Device::all());
    return opened;
}

PinnedMemoryResource PinnedMemoryResource::from_registry(const PoolUuid& uuid) {
    return PinnedMemoryResource(detail::MemoryPool::from_registry(uuid, false));
}

// ---- single allocations --------------------------------------------------------------------------------------------------

namespace {

class PinnedMemory final : public detail::SynchronousMemory {
public:
    explicit PinnedMemory(unsigned int flags) noexcept : flags_(flags) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        detail::check_driver_alignment(alignment);
        const detail::ContextGuard context;
        const detail::RelaxedCaptureMode mode;
        const auto [status, memory] = driver::cuMemHostAlloc(size, flags_);
        if (status != driver::CUDA_SUCCESS) detail::throw_not_allocated({status, 0}, size, stream, std::nullopt);
        return reinterpret_cast<driver::CUdeviceptr>(memory);
    }
    bool is_host_accessible() const noexcept override { return true; }

private:
    void free(driver::CUdeviceptr pointer) override { check(driver::cuMemFreeHost(reinterpret_cast<void*>(pointer))); }

    unsigned int flags_;
};

std::shared_ptr<MemoryResourceBase> make_memory(const LegacyPinnedMemoryResourceOptions& options) {
    unsigned int flags = 0;
    if (options.portable) flags |= driver::CU_MEMHOSTALLOC_PORTABLE;
    if (options.mapped) flags |= driver::CU_MEMHOSTALLOC_DEVICEMAP;
    if (options.write_combined) flags |= driver::CU_MEMHOSTALLOC_WRITECOMBINED;
    return std::make_shared<PinnedMemory>(flags);
}

}  // namespace

LegacyPinnedMemoryResource::LegacyPinnedMemoryResource(const LegacyPinnedMemoryResourceOptions& options)
    : ResourceHandle(make_memory(options)) {}

}  // namespace CUBIND_NAMESPACE
