// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/dim3.hpp>
#include <cubind/core/event.hpp>
#include <cubind/driver/types.hpp>

#include <concepts>
#include <cstddef>
#include <optional>

namespace CUBIND_NAMESPACE {

/// Extents that may be left out: std::nullopt, or one to three numbers as for a Dim3.
struct OptionalDim3 : std::optional<Dim3> {
    constexpr OptionalDim3() = default;
    constexpr OptionalDim3(std::nullopt_t) {}
    constexpr OptionalDim3(Dim3 extents) : std::optional<Dim3>(extents) {}
    template <std::integral X, std::integral Y = unsigned int, std::integral Z = unsigned int>
    constexpr OptionalDim3(X x, Y y = 1, Z z = 1) : std::optional<Dim3>(Dim3(x, y, z)) {}

    friend bool operator==(const OptionalDim3&, const OptionalDim3&) = default;
    friend bool operator==(const OptionalDim3& left, const Dim3& right) { return left == OptionalDim3(right); }
};

/// How the L2 cache treats accesses of a kernel to a range of addresses.
struct AccessPolicyWindow {
    void* data = nullptr;
    std::size_t size = 0;    ///< in bytes, at most DeviceProperties::max_access_policy_window_size
    float hit_ratio = 1.0f;  ///< the fraction of the accesses, 0 to 1, that is treated as `hit`; the rest is treated as `miss`
    driver::CUaccessProperty hit = driver::CU_ACCESS_PROPERTY_PERSISTING;
    driver::CUaccessProperty miss = driver::CU_ACCESS_PROPERTY_STREAMING;
    friend bool operator==(const AccessPolicyWindow&, const AccessPolicyWindow&) = default;
};

/// The physical memory synchronization domain of each logical one.
struct MemSyncDomainMap {
    unsigned char default_domain = 0;
    unsigned char remote_domain = 1;
    friend bool operator==(const MemSyncDomainMap&, const MemSyncDomainMap&) = default;
};

/// An event that a kernel triggers while it runs. Launches with programmatic_stream_serialization can wait for it.
struct ProgrammaticEvent {
    EventRef event;  ///< created without timing
    driver::CUevent_record_flags flags = driver::CU_EVENT_RECORD_DEFAULT;
    bool trigger_at_block_start = false;  ///< triggers once all blocks have begun, instead of when the blocks trigger it
    friend bool operator==(const ProgrammaticEvent&, const ProgrammaticEvent&) = default;
};

/// An event that is recorded once all blocks of a kernel have begun.
struct LaunchCompletionEvent {
    EventRef event;  ///< created without timing
    driver::CUevent_record_flags flags = driver::CU_EVENT_RECORD_DEFAULT;
    friend bool operator==(const LaunchCompletionEvent&, const LaunchCompletionEvent&) = default;
};

/// The shape and the attributes of a launch. A value. Attributes that are not set are not passed to the driver: its defaults
/// apply.
///
///     LaunchConfig{.grid = 128, .block = 256}
///     LaunchConfig{.grid = {16, 16}, .block = {8, 8, 4}, .shared_memory_size = 96 * 1024}
///     LaunchConfig{.grid = 64, .block = 128, .cluster = 4}   // 16 clusters
///
/// The driver checks the values, and launch() explains which value it refused.
struct LaunchConfig {
    Dim3 grid = {};   ///< in blocks, also with clusters; cuda.core counts clusters in that case
    Dim3 block = {};  ///< in threads
    /// Dynamic shared memory of each block, in bytes. More than the default limit of 48 KB needs no further step.
    std::size_t shared_memory_size = 0;
    /// The size of a cluster in blocks. The blocks of a cluster run at the same time on neighboring multiprocessors and can
    /// access each other's shared memory. The cluster must divide the grid. Needs compute capability 9.0.
    OptionalDim3 cluster = {};
    /// All blocks run at the same time and can wait for each other. The whole grid must fit onto the device at once.
    bool cooperative = false;

    /// Lets the kernel begin before the preceding kernel of the stream has ended; it waits by griddepcontrol. Needs compute
    /// capability 9.0.
    bool programmatic_stream_serialization = false;
    /// Replaces the priority of the stream. A smaller number is a greater priority (ContextRef::priority_range).
    std::optional<int> priority = {};
    std::optional<AccessPolicyWindow> access_policy_window = {};
    /// The preferred share of shared memory in the memory that it has in common with the L1 cache, in percent; since CUDA 12.5.
    std::optional<unsigned int> preferred_shared_memory_carveout = {};
    /// A larger cluster, a multiple of `cluster`, that is used where the device has room for it; since CUDA 12.8.
    OptionalDim3 preferred_cluster = {};
    std::optional<driver::CUclusterSchedulingPolicy> cluster_scheduling_policy_preference = {};
    /// Whether clusters may have more blocks than every device of the architecture can run; since CUDA 13.2.
    std::optional<driver::CUlaunchAttributePortableClusterMode> portable_cluster_size_mode = {};
    /// Whether a block may have more shared memory than every device of the architecture has; since CUDA 13.2.
    std::optional<driver::CUsharedMemoryMode> shared_memory_mode = {};
    std::optional<driver::CUlaunchMemSyncDomain> mem_sync_domain = {};
    std::optional<MemSyncDomainMap> mem_sync_domain_map = {};
    std::optional<ProgrammaticEvent> programmatic_event = {};
    /// Since CUDA 12.3.
    std::optional<LaunchCompletionEvent> launch_completion_event = {};
    /// Whether the driver places blocks to favor NVLink over the device's own memory; since CUDA 13.0.
    std::optional<bool> nvlink_util_centric_scheduling = {};
    /// During capture: lets kernels update the node that the launch becomes. The launch writes the node's handle here; since
    /// CUDA 12.4.
    driver::CUgraphDeviceNode* device_updatable_kernel_node = nullptr;

    friend bool operator==(const LaunchConfig&, const LaunchConfig&) = default;
};

}  // namespace CUBIND_NAMESPACE
