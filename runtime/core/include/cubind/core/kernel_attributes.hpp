// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/kernel.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>

namespace cubind {

/// What a kernel needs and may do on one device. A view: each call asks the driver or tells it (cuKernelGetAttribute,
/// cuKernelSetAttribute), and what is set holds for all copies of the kernel on that device. Any thread may use it; launches that
/// are under way in other threads see a change or not.
///
///     int registers = kernel.attributes().num_regs();
///     kernel.attributes(Device(1)).set_max_dynamic_shared_size_bytes(96 << 10);
class KernelAttributes {
public:
    KernelAttributes(Kernel kernel, Device device) noexcept : kernel_(std::move(kernel)), device_(device) {}

    Device device() const noexcept { return device_; }

    /// The largest block that it can be launched with, in threads.
    int max_threads_per_block() const;
    /// Static shared memory of a block, in bytes.
    std::size_t shared_size_bytes() const;
    /// Constant memory that its code declares, in bytes.
    std::size_t const_size_bytes() const;
    /// Local memory of a thread, in bytes.
    std::size_t local_size_bytes() const;
    /// Registers of a thread.
    int num_regs() const;
    /// The architecture of the PTX that it came from: 90 for compute_90.
    int ptx_version() const;
    /// The architecture of the code that runs: 90 for sm_90.
    int binary_version() const;
    /// Whether it was compiled to keep global loads in the L1 cache.
    bool cache_mode_ca() const;
    /// The most dynamic shared memory that it can be launched with, in bytes.
    std::size_t max_dynamic_shared_size_bytes() const;
    /// The part of L1 cache and shared memory that it would have as shared memory, in percent; -1: as the driver sees fit.
    int preferred_shared_memory_carveout() const;
    /// Whether it can be launched only with a cluster.
    bool cluster_size_must_be_set() const;
    /// The cluster that it has to be launched with, in blocks; 0 where any will do.
    int required_cluster_width() const;
    int required_cluster_height() const;
    int required_cluster_depth() const;
    /// Whether its cluster may be larger than all devices of its architecture can run.
    bool non_portable_cluster_size_allowed() const;
    /// How the blocks of a cluster are spread over multiprocessors.
    driver::CUclusterSchedulingPolicy cluster_scheduling_policy_preference() const;

    /// More than 48 KB, up to what the device lets a kernel opt in to less shared_size_bytes(); launch() does so by itself. Like
    /// all setters, throws std::invalid_argument for a value that the driver refuses, and names it and what is allowed.
    void set_max_dynamic_shared_size_bytes(std::size_t size) const;
    /// 0 to 100, a hint, or -1.
    void set_preferred_shared_memory_carveout(int percent) const;
    /// For kernels whose code names no cluster; all three, or 0 for no requirement.
    void set_required_cluster_width(int blocks) const;
    void set_required_cluster_height(int blocks) const;
    void set_required_cluster_depth(int blocks) const;
    void set_non_portable_cluster_size_allowed(bool allowed) const;
    void set_cluster_scheduling_policy_preference(driver::CUclusterSchedulingPolicy policy) const;

    /// Any attribute, also one that is newer than this class.
    int get(driver::CUfunction_attribute which) const;
    void set(driver::CUfunction_attribute which, int value) const;

private:
    Kernel kernel_;
    Device device_;
};

}  // namespace cubind
