// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/dim3.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>

namespace CUBIND_NAMESPACE {

/// How the L2 cache treats accesses of a kernel to a range of addresses.
struct AccessPolicyWindow {
    void* data = nullptr;    ///< address of the first byte
    std::size_t size = 0;    ///< in bytes, at most DeviceProperties::max_access_policy_window_size
    float hit_ratio = 1.0f;  ///< the fraction of the accesses, 0 to 1, that is treated as `hit`; the rest is treated as `miss`
    /// The treatment of the fraction `hit_ratio` of the accesses.
    driver::CUaccessProperty hit = driver::CU_ACCESS_PROPERTY_PERSISTING;
    /// The treatment of the other accesses.
    driver::CUaccessProperty miss = driver::CU_ACCESS_PROPERTY_STREAMING;
    /// Compares all members.
    friend bool operator==(const AccessPolicyWindow&, const AccessPolicyWindow&) = default;
};

/// The mapping of logical memory synchronization domains to physical domains of the device.
struct MemSyncDomainMap {
    unsigned char default_domain = 0;  ///< physical domain of CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT
    unsigned char remote_domain = 1;   ///< physical domain of CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE
    /// Compares all members.
    friend bool operator==(const MemSyncDomainMap&, const MemSyncDomainMap&) = default;
};

/// An event that a kernel triggers while it runs. Launches with programmatic_stream_serialization can wait for it.
struct ProgrammaticEvent {
    EventRef event;  ///< created without timing
    /// Flags of the record operation.
    driver::CUevent_record_flags flags = driver::CU_EVENT_RECORD_DEFAULT;
    /// If true, the event triggers once all blocks have begun; if false, when the code of the blocks triggers it.
    bool trigger_at_block_start = false;
    /// Compares all members.
    friend bool operator==(const ProgrammaticEvent&, const ProgrammaticEvent&) = default;
};

/// An event that is recorded once all blocks of a kernel have begun.
struct LaunchCompletionEvent {
    EventRef event;  ///< created without timing
    /// Flags of the record operation.
    driver::CUevent_record_flags flags = driver::CU_EVENT_RECORD_DEFAULT;
    /// Compares all members.
    friend bool operator==(const LaunchCompletionEvent&, const LaunchCompletionEvent&) = default;
};

/// The shape and the attributes of a launch. Attributes that are not set, or have the value DEFAULT or {1, 1, 1}, are not passed
/// to the driver, which uses its defaults.
///
///     LaunchConfig{.grid = 128, .block = 256}
///     LaunchConfig{.grid = {16, 16}, .block = {8, 8, 4}, .shared_memory_size = 96 * 1024}
///     LaunchConfig{.grid = 64, .block = 128, .cluster = 4}   // 16 clusters
///
/// The driver checks the values, and launch() explains which value it refused.
struct LaunchConfig {
    Dim3 grid = {};   ///< in blocks, even with clusters; cuda.core counts clusters in that case
    Dim3 block = {};  ///< in threads
    /// The dynamic shared memory of each block, in bytes. Values above the default limit of 48 KB require no further step.
    std::size_t shared_memory_size = 0;
    /// The size of a cluster in blocks; {1, 1, 1} for the size that the kernel's code declares, or for no clusters. The blocks of
    /// a cluster run at the same time on neighboring multiprocessors and can access each other's shared memory. The cluster must
    /// divide the grid. Requires compute capability 9.0.
    Dim3 cluster = {};
    /// Runs all blocks at the same time, so that they can wait for each other. The whole grid must fit onto the device at once.
    bool cooperative = false;

    /// Lets the kernel begin before the preceding kernel of the stream has ended. The kernel's code waits for that end with
    /// griddepcontrol. Requires compute capability 9.0.
    bool programmatic_stream_serialization = false;
    /// The priority of the kernel, which replaces the priority of the stream. A smaller number is a higher priority
    /// (ContextRef::priority_range).
    std::optional<int> priority = {};
    /// The treatment of a range of addresses by the L2 cache.
    std::optional<AccessPolicyWindow> access_policy_window = {};
    /// The part of the combined L1 cache and shared memory that is preferred as shared memory, in percent; since CUDA 12.5.
    std::optional<int> preferred_shared_memory_carveout = {};
    /// A multiple of `cluster` that is used instead of `cluster` where the device has room for it; {1, 1, 1} for none. Since CUDA
    /// 12.8.
    Dim3 preferred_cluster = {};
    /// How the blocks of a cluster are distributed over multiprocessors.
    driver::CUclusterSchedulingPolicy cluster_scheduling_policy_preference = driver::CU_CLUSTER_SCHEDULING_POLICY_DEFAULT;
    /// Whether clusters may exceed the size that every device of the architecture supports; since CUDA 13.2.
    driver::CUlaunchAttributePortableClusterMode portable_cluster_size_mode = driver::CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT;
    /// Whether shared memory may exceed the size that every device of the architecture supports; since CUDA 13.2.
    driver::CUsharedMemoryMode shared_memory_mode = driver::CU_SHARED_MEMORY_MODE_DEFAULT;
    /// The logical memory synchronization domain of the kernel.
    std::optional<driver::CUlaunchMemSyncDomain> mem_sync_domain = {};
    /// The physical domains to which the logical domains are mapped.
    std::optional<MemSyncDomainMap> mem_sync_domain_map = {};
    /// An event that the kernel triggers while it runs.
    std::optional<ProgrammaticEvent> programmatic_event = {};
    /// An event that is recorded once all blocks have begun; since CUDA 12.3.
    std::optional<LaunchCompletionEvent> launch_completion_event = {};
    /// Whether the driver places blocks to favor NVLink over the device's own memory; since CUDA 13.0.
    std::optional<bool> nvlink_util_centric_scheduling = {};
    /// Allows kernels to update the graph node of a captured launch. The launch writes the handle of the node to this address;
    /// since CUDA 12.4.
    driver::CUgraphDeviceNode* device_updatable_kernel_node = nullptr;

    /// Compares all members.
    friend bool operator==(const LaunchConfig&, const LaunchConfig&) = default;
};

}  // namespace CUBIND_NAMESPACE
