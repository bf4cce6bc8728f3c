// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/pool_memory_resource.hpp>

#include <optional>

namespace CUBIND_NAMESPACE {

/// The properties of a pool of pinned memory.
struct PinnedMemoryResourceOptions {
    /// The NUMA node of the memory; std::nullopt if the driver chooses.
    std::optional<int> numa_id = std::nullopt;
    /// The maximum size of the pool in bytes; 0 for no limit.
    std::size_t max_size = 0;
    /// Whether other processes can use the pool: see allocation_handle(). Requires numa_id.
    bool ipc_enabled = false;
    /// The kinds of handles by which other processes open the pool, besides the file descriptors of `ipc_enabled`. Requires
    /// numa_id.
    SharingHandle sharing = SharingHandle::none;
};

/// Pinned host memory from a new pool, which the host and all devices can access (cuMemPoolCreate). Copies from and to it run
/// concurrently with other work. The constructor throws Error with the missing capability if the driver or the devices have no
/// such pools; LegacyPinnedMemoryResource works everywhere. Copies of the object are handles of the same pool.
///
///     PinnedMemoryResource pinned;
///     Buffer staging = pinned.allocate(stream, size);
///     stream.synchronize();                          // the host may use staging.span<float>() from here on
class CUBIND_EXPORT PinnedMemoryResource final : public PoolMemoryResource {
public:
    /// Creates a new pool (cuMemPoolCreate). Throws std::invalid_argument if ipc_enabled or sharing is set without
    /// numa_id.
    explicit PinnedMemoryResource(const PinnedMemoryResourceOptions& options = {});

    /// Opens a pool of another process, and grants access to all devices (cuMemPoolImportFromShareableHandle). See
    /// DeviceMemoryResource::from_allocation_handle().
    [[nodiscard]] static PinnedMemoryResource from_allocation_handle(const IpcAllocationHandle& handle);
    /// Returns a handle of the pool with this identity; see DeviceMemoryResource::from_registry().
    [[nodiscard]] static PinnedMemoryResource from_registry(const PoolUuid& uuid);

    /// Returns the NUMA node that the options state; std::nullopt if the driver chooses, or if another process has created the
    /// pool.
    [[nodiscard]] std::optional<int> numa_id() const noexcept { return numa_id_; }

private:
    using PoolMemoryResource::PoolMemoryResource;

    std::optional<int> numa_id_;
};

/// The properties of pinned memory. With unified addressing, which all 64-bit systems have, the memory is portable and
/// mapped even if these options are false.
struct LegacyPinnedMemoryResourceOptions {
    /// Whether the memory is pinned for all contexts.
    bool portable = false;
    /// Whether the memory is mapped into the address space of the devices.
    bool mapped = false;
    /// Whether the memory is write-combined: devices read it faster, and the host reads it slowly.
    bool write_combined = false;
};

/// Allocates pinned host memory without a pool, on every driver (cuMemHostAlloc, cuMemFreeHost). Each allocation is a slow
/// driver call that does not use the stream, so the memory is usable as soon as the call returns. A free waits for the work of
/// the stream, unless the stream is captured. The driver may make the free wait for all work of the devices. The memory belongs
/// to the current context of the thread that allocates it, or to the primary context of device 0 if there is no current
/// context. Destroying that context frees the memory. Copies of the object are handles of the same resource.
///
///     LegacyPinnedMemoryResource pinned({.write_combined = true});
///     Buffer staging = pinned.allocate(stream, size);
class CUBIND_EXPORT LegacyPinnedMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource. Allocates nothing and makes no driver call.
    explicit LegacyPinnedMemoryResource(const LegacyPinnedMemoryResourceOptions& options = {});
};

}  // namespace CUBIND_NAMESPACE
