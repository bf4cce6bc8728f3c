// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/pool_memory_resource.hpp>

#include <optional>

namespace cubind {

/// What a pool of pinned memory is made with.
struct PinnedMemoryResourceOptions {
    /// The NUMA node that the memory lies on; none: the driver chooses.
    std::optional<int> numa_id = std::nullopt;
    /// Bytes that it can hand out; 0: as many as there are.
    std::size_t max_size = 0;
};

/// Pinned memory of the host from a pool of its own, which the host and all devices can use: copies from and to it run beside other work
/// (cuMemPoolCreate). Throws an Error that says what is missing where driver or devices have no such pools; LegacyPinnedMemoryResource
/// works everywhere.
///
///     PinnedMemoryResource pinned;
///     Buffer staging = pinned.allocate(stream, size);
///     stream.synchronize();                          // then the host may use staging.span<float>()
class PinnedMemoryResource : public PoolMemoryResource {
public:
    explicit PinnedMemoryResource(const PinnedMemoryResourceOptions& options = {});

    /// As it was asked for.
    std::optional<int> numa_id() const noexcept { return numa_id_; }

private:
    std::optional<int> numa_id_;
};

}  // namespace cubind
