// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <utility>

namespace CUBIND_NAMESPACE {

/// The requirements and limits of a kernel on one device. A view: each getter calls cuKernelGetAttribute, each setter calls
/// cuKernelSetAttribute. A value that is set applies to all copies of the kernel on that device. Any thread may use it; a launch
/// in another thread at the same time uses the old or the new value.
///
///     int registers = kernel.attributes().num_regs();
///     kernel.attributes(Device(1)).set_max_dynamic_shared_size_bytes(96 << 10);
class CUBIND_EXPORT KernelAttributes {
public:
    /// Creates a view of the kernel's attributes on the device. Makes no driver call.
    KernelAttributes(Kernel kernel, Device device) noexcept : kernel_(std::move(kernel)), device_(device) {}

    /// Returns the device.
    [[nodiscard]] Device device() const noexcept { return device_; }

    /// Returns the maximum number of threads of a block.
    [[nodiscard]] int max_threads_per_block() const;
    /// Returns the static shared memory of a block, in bytes.
    [[nodiscard]] std::size_t shared_size_bytes() const;
    /// Returns the constant memory that the kernel's code declares, in bytes.
    [[nodiscard]] std::size_t const_size_bytes() const;
    /// Returns the local memory of a thread, in bytes.
    [[nodiscard]] std::size_t local_size_bytes() const;
    /// Returns the number of registers of a thread.
    [[nodiscard]] int num_regs() const;
    /// Returns the architecture of the PTX that the kernel was compiled from: 90 for compute_90.
    [[nodiscard]] int ptx_version() const;
    /// Returns the architecture of the code that runs: 90 for sm_90.
    [[nodiscard]] int binary_version() const;
    /// Returns whether the kernel was compiled to cache global loads in the L1 cache.
    [[nodiscard]] bool cache_mode_ca() const;
    /// Returns the maximum dynamic shared memory of a launch, in bytes.
    [[nodiscard]] std::size_t max_dynamic_shared_size_bytes() const;
    /// Returns the part of the combined L1 cache and shared memory that the kernel prefers as shared memory, in percent; -1 if
    /// the driver chooses.
    [[nodiscard]] int preferred_shared_memory_carveout() const;
    /// Returns whether a launch must set a cluster.
    [[nodiscard]] bool cluster_size_must_be_set() const;
    /// Returns the width of the cluster that a launch must use, in blocks; 0 if there is no requirement.
    [[nodiscard]] int required_cluster_width() const;
    /// Returns the height of the cluster that a launch must use, in blocks; 0 if there is no requirement.
    [[nodiscard]] int required_cluster_height() const;
    /// Returns the depth of the cluster that a launch must use, in blocks; 0 if there is no requirement.
    [[nodiscard]] int required_cluster_depth() const;
    /// Returns whether the cluster may exceed the size that every device of the architecture supports.
    [[nodiscard]] bool non_portable_cluster_size_allowed() const;
    /// Returns how the blocks of a cluster are distributed over multiprocessors.
    [[nodiscard]] driver::CUclusterSchedulingPolicy cluster_scheduling_policy_preference() const;

    /// Sets the limit on dynamic shared memory, in bytes. The maximum is the device's opt-in limit minus shared_size_bytes().
    /// launch() raises the limit where it is too low. All setters throw std::invalid_argument for a value that the driver
    /// refuses; the message states the value and what is allowed.
    void set_max_dynamic_shared_size_bytes(std::size_t size) const;
    /// Sets the part of the combined L1 cache and shared memory that the kernel prefers as shared memory: a hint of 0 to 100
    /// percent, or -1 to let the driver choose.
    void set_preferred_shared_memory_carveout(int percent) const;
    /// Sets the width of the required cluster, in blocks, for kernels whose code declares no cluster. Set all three extents, or
    /// set 0 for no requirement.
    void set_required_cluster_width(int blocks) const;
    /// Sets the height of the required cluster; see set_required_cluster_width().
    void set_required_cluster_height(int blocks) const;
    /// Sets the depth of the required cluster; see set_required_cluster_width().
    void set_required_cluster_depth(int blocks) const;
    /// Sets whether the cluster may exceed the size that every device of the architecture supports.
    void set_non_portable_cluster_size_allowed(bool allowed) const;
    /// Sets how the blocks of a cluster are distributed over multiprocessors.
    void set_cluster_scheduling_policy_preference(driver::CUclusterSchedulingPolicy policy) const;

    /// Returns any attribute, including one that this class has no function for.
    [[nodiscard]] int get(driver::CUfunction_attribute which) const;
    /// Sets any attribute, including one that this class has no function for.
    void set(driver::CUfunction_attribute which, int value) const;

private:
    Kernel kernel_;
    Device device_;
};

}  // namespace CUBIND_NAMESPACE
