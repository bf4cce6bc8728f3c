// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory_location.hpp>
#include <cubind/core/memory_resource.hpp>

#include <optional>

namespace cubind {

/// How managed memory is made.
struct ManagedMemoryResourceOptions {
    /// Where it lies for as long as nothing speaks against it.
    std::optional<MemoryLocation> preferred_location = std::nullopt;
};

/// Memory that the host and all devices can use, and which the driver moves to where it is used; see ManagedMemory for moving it ahead.
/// It comes from a pool of its own, in stream order, where the driver has such pools (CUDA 13.0), and else piece by piece: then allocating
/// and freeing take their time, and freeing waits for the stream (cuMemAllocManaged).
///
///     ManagedMemoryResource managed({.preferred_location = device});
///     Buffer buffer = managed.allocate(stream, size);
class ManagedMemoryResource : public MemoryResource {
public:
    explicit ManagedMemoryResource(const ManagedMemoryResourceOptions& options = {});

    /// Whether it comes from a pool.
    bool has_pool() const noexcept;
};

}  // namespace cubind
