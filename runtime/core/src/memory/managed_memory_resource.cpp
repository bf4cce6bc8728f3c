// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/memory_pool.hpp>

#include "calls/availability.hpp"
#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "device/device_table.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"
#include "memory/synchronous_memory.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using Location = std::optional<MemoryLocation>;

class SynchronousManagedMemory final : public detail::SynchronousMemory {
public:
    explicit SynchronousManagedMemory(Location preferred) noexcept : preferred_(preferred) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        detail::check_driver_alignment(alignment);
        const detail::ContextGuard context;
        const detail::RelaxedCaptureMode mode;
        const auto allocated = driver::cuMemAllocManaged(size, driver::CU_MEM_ATTACH_GLOBAL);
        if (!allocated.ok()) detail::throw_not_allocated(allocated, size, stream, std::nullopt);
        try {
            if (preferred_) advise(allocated.value, size);
        } catch (...) {
            free(allocated.value);
            throw;
        }
        return allocated.value;
    }
    bool is_host_accessible() const noexcept override { return true; }
    bool is_managed() const noexcept override { return true; }

private:
    void advise(driver::CUdeviceptr pointer, std::size_t size) const {
        const std::span bytes(reinterpret_cast<std::byte*>(pointer), size);
        ManagedMemory(bytes).set_preferred_location(preferred_);
    }

    Location preferred_;
};

// Managed pools exist on devices that have pools and can access managed memory while the host accesses it.
bool has_managed_pools(Device device) {
    detail::DeviceEntry& entry = detail::DeviceTable::get().at(device.ordinal());
    return entry.attribute(driver::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0 &&
           entry.attribute(driver::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) != 0;
}

// Returns nullptr if the driver or the devices have no such pools.
std::shared_ptr<detail::MemoryPool> make_pool(const Location& preferred) {
    (void)Device::count();                                                      // initializes the driver
    if (!detail::is_available(driver::cuMemGetDefaultMemPool)) return nullptr;  // CUDA 13.0 added this function and the pools
    for (const Device device : Device::all()) {
        if (!has_managed_pools(device)) return nullptr;
    }
    driver::CUmemPoolProps properties{};
    properties.allocType = driver::CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (preferred) properties.location = preferred->native();
    detail::PoolPlace place;
    place.is_host_accessible = true;
    place.is_managed = true;
    try {
        return detail::MemoryPool::make(properties, place);
    } catch (const Error& error) {
        if (error.code() != driver::CUDA_ERROR_NOT_SUPPORTED) throw;
        return nullptr;
    }
}

std::shared_ptr<MemoryResourceBase> base_of(const std::shared_ptr<detail::MemoryPool>& pool, const Location& preferred) {
    if (pool != nullptr) return pool;
    return std::make_shared<SynchronousManagedMemory>(preferred);
}

}  // namespace

ManagedMemoryResource::ManagedMemoryResource(const ManagedMemoryResourceOptions& options)
    : ManagedMemoryResource(make_pool(options.preferred_location), options.preferred_location) {}

ManagedMemoryResource::ManagedMemoryResource(std::shared_ptr<detail::MemoryPool> pool, const Location& preferred)
    : ResourceHandle(base_of(pool, preferred)), pool_(std::move(pool)), preferred_location_(preferred) {}

driver::CUmemoryPool ManagedMemoryResource::native_handle() const noexcept {
    return has_pool() ? pool_->handle() : nullptr;
}

MemoryPoolAttributes ManagedMemoryResource::attributes() const {
    if (!has_pool()) {
        detail::throw_not_supported("cuMemPoolGetAttribute",
                                    "this managed memory has no pool: pools require a driver of CUDA 13.0 or later and devices "
                                    "with CONCURRENT_MANAGED_ACCESS; has_pool() returns whether there is one");
    }
    return MemoryPoolAttributes(pool_);
}

void ManagedMemoryResource::trim(std::size_t bytes_to_retain) const {
    if (has_pool()) pool_->trim(bytes_to_retain);
}

}  // namespace CUBIND_NAMESPACE
