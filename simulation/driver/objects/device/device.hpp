// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/sim/options.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

class Context;
class Pool;

/// One simulated GPU.
class Device {
    std::atomic<driver::CUresult> fault_{driver::CUDA_SUCCESS};
    mutable std::mutex fault_mutex_;
    std::string fault_text_;
    std::atomic<std::size_t> used_{0};  // destroyed after the pools below, which discharge memory in their destructors

public:
    /// `own_index` identifies the device in the machine, `own_ordinal` among the visible devices.
    Device(int own_index, driver::CUdevice own_ordinal, const Options& options);

    /// Charges bytes to the device's memory. Returns false if fewer are left.
    bool charge(std::size_t bytes) noexcept;
    /// Returns charged bytes to the device.
    void discharge(std::size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }
    /// Returns the error that device code caused, or CUDA_SUCCESS. As on hardware, no work runs on the device after a
    /// fault.
    driver::CUresult fault() const noexcept { return fault_.load(std::memory_order_acquire); }
    /// Records a fault and what caused it, such as "kernel " and its name. The first fault is never replaced.
    void set_fault(driver::CUresult fault, const char* subject, const char* name, const char* reason) noexcept;
    /// Returns the failure_text() of the fault; empty if there is none, or if no memory was left for it.
    std::string fault_text() const;
    /// Returns the charged bytes.
    std::size_t used_bytes() const noexcept { return used_.load(std::memory_order_relaxed); }

    std::string name() const;
    driver::CUuuid uuid() const noexcept { return uuid_of(index); }
    static driver::CUuuid uuid_of(int index) noexcept;
    std::string pci_bus_id() const;

    const int index;
    const driver::CUdevice ordinal;  ///< negative if the device is not visible
    const std::size_t memory;
    const int major;
    const int minor;
    const bool allows_peer_memory;
    const bool allows_undefined_functions;

    /// The primary context, from its first retain on. A reset makes it inactive until it is retained again.
    std::mutex primary_mutex;
    std::shared_ptr<Context> primary;
    unsigned primary_users = 0;  ///< retains that were not released
    bool is_primary_active = false;
    unsigned primary_flags = 0;

    std::shared_ptr<Pool> default_pool;
    std::mutex pool_mutex;
    std::shared_ptr<Pool> current_pool;
    std::shared_ptr<Pool> graph_pool;  ///< source of the memory of allocation nodes; retains all memory until it is trimmed
};

/// The devices of a machine, indexed by ordinal.
using Devices = std::vector<std::unique_ptr<Device>>;

/// Returns the device of this ordinal, or null if there is none.
Device* find_device(const Devices& devices, driver::CUdevice ordinal) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
