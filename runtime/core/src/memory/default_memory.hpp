// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/memory_resource.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace cubind::detail {

class MemoryPool;

/// Where a device's memory comes from if nobody says where: what the process has chosen, else the driver's default pool, else the driver,
/// piece by piece. Thread-safe.
class DefaultMemory {
public:
    MemoryResource get(Device device);
    void choose(MemoryResource resource);

    /// The same without a copy, where nothing was chosen: what the driver has, for good. Else nullptr.
    const MemoryResource* of_driver(Device device) {
        if (is_chosen_.load(std::memory_order_acquire)) return nullptr;
        if (!is_made_.load(std::memory_order_acquire)) make(device);
        return &*of_driver_;
    }

    /// The driver's default pool, whose release threshold is raised at first use; nullptr where the device has no pools.
    const std::shared_ptr<MemoryPool>& pool(Device device);

private:
    void make(Device device);

    std::mutex mutex_;
    std::atomic<bool> is_made_{false};
    std::shared_ptr<MemoryResourceBase> made_;
    // These stay as they are once made. They count no references, which would cost more than all else that a buffer needs: what
    // they mean lives as long as the process.
    std::shared_ptr<MemoryPool> pool_;
    std::optional<MemoryResource> of_driver_;
    std::atomic<bool> is_chosen_{false};
    std::optional<MemoryResource> chosen_;
};

/// Returns the default memory of a device, which exists until the process ends.
DefaultMemory& default_memory(Device device);

}  // namespace cubind::detail
