// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/memory_resource.hpp>

#include <atomic>
#include <memory>
#include <mutex>

namespace cubind::detail {

class MemoryPool;

/// Where a device's memory comes from if nobody says where: what the process has chosen, else the driver's default pool, else the driver,
/// piece by piece. Thread-safe.
class DefaultMemory {
public:
    std::shared_ptr<MemoryResourceBase> get(Device device);
    void choose(std::shared_ptr<MemoryResourceBase> resource);

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
    std::shared_ptr<MemoryResourceBase> of_driver_;
    std::atomic<bool> is_chosen_{false};
    std::shared_ptr<MemoryResourceBase> chosen_;
};

}  // namespace cubind::detail
