// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "objects/virtual/physical_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Physical memory that is mapped at an address, and the access of the host and of each device. Thread-safe.
class Mapping {
public:
    Mapping(std::shared_ptr<PhysicalMemory> own_memory, std::size_t devices) : memory(std::move(own_memory)), access_(devices) {}

    void set_access(const Device& device, driver::CUmemAccess_flags flags) noexcept {
        access_[static_cast<std::size_t>(device.ordinal)].store(flags, std::memory_order_release);
    }
    driver::CUmemAccess_flags access(const Device& device) const noexcept {
        return access_[static_cast<std::size_t>(device.ordinal)].load(std::memory_order_acquire);
    }
    void set_host_access(driver::CUmemAccess_flags flags) noexcept { host_access_.store(flags, std::memory_order_release); }
    driver::CUmemAccess_flags host_access() const noexcept { return host_access_.load(std::memory_order_acquire); }
    bool allows(const Device& device, bool writing) const noexcept {
        const unsigned needed = writing ? driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE : driver::CU_MEM_ACCESS_FLAGS_PROT_READ;
        return (access(device) & needed) == needed;
    }

    bool allows_some_device(bool writing) const noexcept {
        const unsigned needed = writing ? driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE : driver::CU_MEM_ACCESS_FLAGS_PROT_READ;
        return std::any_of(access_.begin(), access_.end(), [=](const auto& each) { return (each.load() & needed) == needed; });
    }

    const std::shared_ptr<PhysicalMemory> memory;

private:
    std::vector<std::atomic<driver::CUmemAccess_flags>> access_;                                 ///< indexed by device ordinal
    std::atomic<driver::CUmemAccess_flags> host_access_{driver::CU_MEM_ACCESS_FLAGS_PROT_NONE};  ///< for queries only
};

}  // namespace CUBIND_NAMESPACE::sim
