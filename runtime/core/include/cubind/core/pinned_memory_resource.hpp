// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/pool_memory_resource.hpp>

#include <optional>

namespace cubind {

/// The properties of a pool of pinned memory.
struct PinnedMemoryResourceOptions {
    /// The NUMA node of the memory; std::nullopt if the driver chooses.
    std::optional<int> numa_id = std::nullopt;
    /// The maximum size of the pool in bytes; 0 for no limit.
    std::size_t max_size = 0;
};

/// Pinned host memory from a new pool, which the host and all devices can access (cuMemPoolCreate). Copies from and to
/// it run concurrently with other work. The constructor throws Error with the missing capability if the driver or the
/// devices have no such pools; LegacyPinnedMemoryResource works everywhere. A handle.
///
///     PinnedMemoryResource pinned;
///     Buffer staging = pinned.allocate(stream, size);
///     stream.synchronize();                          // the host may use staging.span<float>() from here on
class PinnedMemoryResource final : public PoolMemoryResource {
public:
    explicit PinnedMemoryResource(const PinnedMemoryResourceOptions& options = {});

    /// Returns the NUMA node of the options.
    [[nodiscard]] std::optional<int> numa_id() const noexcept { return numa_id_; }

private:
    std::optional<int> numa_id_;
};

/// The properties of pinned memory. With unified addressing, as on all 64-bit systems, it is portable and mapped in any
/// case.
struct LegacyPinnedMemoryResourceOptions {
    /// Whether the memory is pinned for all contexts.
    bool portable = false;
    /// Whether the memory is mapped into the address space of the devices.
    bool mapped = false;
    /// Whether devices read the memory faster, and the host reads it slowly.
    bool write_combined = false;
};

/// Pinned host memory in single allocations, which every driver supports (cuMemHostAlloc, cuMemFreeHost). Allocating is
/// slow, and the memory is usable at once. Freeing waits for the stream, unless the stream is captured, and possibly
/// for all work of the devices. The memory belongs to the calling thread's context, else to the primary context of
/// device 0, and is freed with that context. A handle.
///
///     LegacyPinnedMemoryResource pinned({.write_combined = true});
///     Buffer staging = pinned.allocate(stream, size);
class LegacyPinnedMemoryResource final : public detail::ResourceHandle {
public:
    explicit LegacyPinnedMemoryResource(const LegacyPinnedMemoryResourceOptions& options = {});
};

}  // namespace cubind
