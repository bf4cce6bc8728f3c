// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory_location.hpp>
#include <cubind/core/memory_resource.hpp>

#include <optional>

namespace CUBIND_NAMESPACE {

/// The properties of managed memory.
struct ManagedMemoryResourceOptions {
    /// The location that the driver leaves the memory in when it can.
    std::optional<MemoryLocation> preferred_location = std::nullopt;
};

/// Memory that the host and all devices can access, and that the driver migrates to the processor that uses it;
/// ManagedMemory moves it in advance. It is allocated from a new pool, in stream order, if the driver has such pools
/// (CUDA 13.0), else in single allocations: then allocating and freeing are slow, and freeing waits for the stream
/// (cuMemAllocManaged). A handle.
///
///     ManagedMemoryResource managed({.preferred_location = device});
///     Buffer buffer = managed.allocate(stream, size);
class CUBIND_EXPORT ManagedMemoryResource final : public detail::ResourceHandle {
public:
    explicit ManagedMemoryResource(const ManagedMemoryResourceOptions& options = {});

    /// Returns whether the memory is allocated from a pool.
    [[nodiscard]] bool has_pool() const noexcept;
};

}  // namespace CUBIND_NAMESPACE
