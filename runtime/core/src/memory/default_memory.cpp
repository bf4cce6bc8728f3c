// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/default_memory.hpp"

#include <cubind/driver/device.hpp>

#include "device/device_table.hpp"
#include "memory/memory_pool.hpp"
#include "memory/synchronous_memory.hpp"
#include "support/driver.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace cubind::detail {
namespace {

std::shared_ptr<MemoryPool> default_pool(Device device) {
    const RelaxedCaptureMode mode;
    const driver::CUmemoryPool handle = check(driver::cuDeviceGetDefaultMemPool(device.native_handle()));
    auto pool = std::make_shared<MemoryPool>(handle, false, PoolPlace{device});
    // Zero is what it begins with.
    constexpr auto which = driver::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    if (pool->get<driver::cuuint64_t>(which) == 0) pool->set(which, ~driver::cuuint64_t{0});
    return pool;
}

template <class Type>
std::shared_ptr<Type> uncounted(const std::shared_ptr<Type>& lasting) {
    return std::shared_ptr<Type>(std::shared_ptr<void>(), lasting.get());
}

}  // namespace

DefaultMemory& default_memory(Device device) {
    static DefaultMemory* const of_devices = new DefaultMemory[static_cast<std::size_t>(DeviceTable::get().size())];  // never destroyed
    return of_devices[device.ordinal()];
}

MemoryResource DefaultMemory::get(Device device) {
    if (const MemoryResource* const lasting = of_driver(device)) return *lasting;
    const std::lock_guard lock(mutex_);
    return *chosen_;
}

void DefaultMemory::choose(MemoryResource resource) {
    std::optional<MemoryResource> former(std::move(resource));  // ends out of the lock: it may be somebody's code
    const std::lock_guard lock(mutex_);
    chosen_.swap(former);
    is_chosen_.store(true, std::memory_order_release);
}

const std::shared_ptr<MemoryPool>& DefaultMemory::pool(Device device) {
    make(device);
    return pool_;
}

void DefaultMemory::make(Device device) {
    if (is_made_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (is_made_.load(std::memory_order_relaxed)) return;
    if (DeviceTable::get().at(device.ordinal()).attribute(driver::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0) {
        const std::shared_ptr<MemoryPool> pool = default_pool(device);
        made_ = pool;
        pool_ = uncounted(pool);
    } else {
        made_ = std::make_shared<SynchronousDeviceMemory>(device);
    }
    of_driver_.emplace(uncounted(made_));
    is_made_.store(true, std::memory_order_release);
}

}  // namespace cubind::detail
