// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/default_memory.hpp"

#include <cubind/core/memory/buffer.hpp>
#include <cubind/driver/device.hpp>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "lifetime/once_per_driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/allocate_buffer.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"
#include "memory/synchronous_memory.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

std::shared_ptr<MemoryPool> default_pool(Device device) {
    const RelaxedCaptureMode mode;
    const driver::CUmemoryPool handle = check(driver::cuDeviceGetDefaultMemPool(device.native_handle()));
    auto pool = std::make_shared<MemoryPool>(handle, false, PoolPlace{device});
    // 0 is the driver's default; any other value was set by the program.
    constexpr auto which = driver::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    if (pool->get<driver::cuuint64_t>(which) == 0) pool->set(which, ~driver::cuuint64_t{0});
    return pool;
}

// A pointer without a reference count to an object that is never destroyed.
template <class Type>
std::shared_ptr<Type> uncounted(const std::shared_ptr<Type>& permanent) {
    return std::shared_ptr<Type>(std::shared_ptr<void>(), permanent.get());
}

}  // namespace

DefaultMemory& DefaultMemory::of(Device device) {
    using All = std::unique_ptr<DefaultMemory[]>;
    static constinit OncePerDriver<All> all;
    const auto make = [] {
        return std::make_unique<All>(std::make_unique<DefaultMemory[]>(static_cast<std::size_t>(DeviceTable::get().size())));
    };
    return all.get(make)[static_cast<std::size_t>(device.ordinal())];
}

MemoryResource DefaultMemory::get(Device device) {
    if (const MemoryResource* const permanent = driver_resource(device)) return *permanent;
    const std::lock_guard lock(mutex_);
    return *set_;
}

void DefaultMemory::set(MemoryResource resource) {
    std::optional<MemoryResource> previous(std::move(resource));  // destroyed outside the lock: it may run code of the user
    const std::lock_guard lock(mutex_);
    set_.swap(previous);
    is_set_.store(true, std::memory_order_release);
}

const std::shared_ptr<MemoryPool>& DefaultMemory::pool(Device device) {
    create(device);
    return pool_;
}

const std::shared_ptr<MemoryPool>& DefaultMemory::require_pool(Device device) {
    const std::shared_ptr<MemoryPool>& found = pool(device);
    if (found != nullptr) return found;
    throw_not_supported(
        "cuDeviceGetDefaultMemPool",
        concat("device ", device.ordinal(), " has no memory pools; Device::memory_resource() works without them"));
}

void DefaultMemory::create(Device device) {
    if (is_created_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (is_created_.load(std::memory_order_relaxed)) return;
    if (DeviceTable::get().at(device.ordinal()).attribute(driver::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0) {
        const std::shared_ptr<MemoryPool> pool = default_pool(device);
        created_ = pool;
        pool_ = uncounted(pool);
    } else {
        created_ = std::make_shared<SynchronousDeviceMemory>(device);
    }
    driver_resource_.emplace(uncounted(created_));
    is_created_.store(true, std::memory_order_release);
}

}  // namespace detail

// ---- allocations of a device ---------------------------------------------------------------------------------------------

MemoryResource Device::memory_resource() const {
    return detail::DefaultMemory::of(*this).get(*this);
}

void Device::set_memory_resource(MemoryResource resource) const {
    detail::DefaultMemory::of(*this).set(std::move(resource));
}

Buffer Device::allocate(StreamRef stream, std::size_t size) const {
    return allocate(stream, size, MemoryResourceBase::default_alignment);
}

Buffer Device::allocate(StreamRef stream, std::size_t size, std::size_t alignment) const {
    detail::DefaultMemory& memory = detail::DefaultMemory::of(*this);
    if (const MemoryResource* const permanent = memory.driver_resource(*this)) {
        if (detail::MemoryPool* const pool = memory.driver_pool()) [[likely]]
            return detail::ResourceHandle::allocate_from(*pool, permanent->base(), stream, size, alignment);
        return permanent->allocate(stream, size, alignment);
    }
    return memory.get(*this).allocate(stream, size, alignment);
}

}  // namespace CUBIND_NAMESPACE
