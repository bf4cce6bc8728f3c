// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/memory_resource.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace CUBIND_NAMESPACE::detail {

class MemoryPool;

/// The resource of Device::allocate(). It is the resource that the process has set, or the driver's default pool. If the device
/// has no pools, each allocation is a separate driver call. Thread-safe.
class alignas(64) DefaultMemory {
public:
    /// Returns the object of the device. It is never destroyed, because buffers may need it until the process ends.
    static DefaultMemory& of(Device device);

    MemoryResource get(Device device);
    void set(MemoryResource resource);

    /// Returns the driver's resource, which lives as long as the process, or nullptr if the process has set another resource.
    /// Unlike get() it copies no handle.
    const MemoryResource* driver_resource(Device device) {
        if (is_set_.load(std::memory_order_acquire)) return nullptr;
        if (!is_created_.load(std::memory_order_acquire)) create(device);
        return &*driver_resource_;
    }

    /// Returns the pool that driver_resource() allocates from; nullptr if the device has no pools. Call driver_resource()
    /// first.
    MemoryPool* driver_pool() const noexcept { return pool_.get(); }

    /// Returns the driver's default pool, whose release threshold is raised at first use; nullptr if the device has no pools.
    const std::shared_ptr<MemoryPool>& pool(Device device);
    /// Returns pool(device); throws Error if the device has no pools.
    const std::shared_ptr<MemoryPool>& require_pool(Device device);

private:
    void create(Device device);

    // Every allocation reads these members, which lie in one cache line. The handles do not change once they are created. They
    // count no references, because the resource lives as long as the process and counting would cost more than the rest of a
    // buffer.
    std::atomic<bool> is_set_{false};
    std::atomic<bool> is_created_{false};
    std::shared_ptr<MemoryPool> pool_;
    std::optional<MemoryResource> driver_resource_;

    std::mutex mutex_;
    std::shared_ptr<MemoryResourceBase> created_;
    std::optional<MemoryResource> set_;
};

}  // namespace CUBIND_NAMESPACE::detail
