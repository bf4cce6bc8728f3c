// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/memory/memory_resource.hpp>

#include <optional>

namespace CUBIND_NAMESPACE {

/// The properties of managed memory.
struct ManagedMemoryResourceOptions {
    /// The location that the driver leaves the memory in when it can.
    std::optional<MemoryLocation> preferred_location = std::nullopt;
};

/// Memory that the host and all devices can access, and that the driver migrates to the processor that uses it; ManagedMemory
/// migrates it in advance. If the driver has pools of managed memory (CUDA 13.0), it is allocated from a new pool, in stream
/// order (cuMemAllocFromPoolAsync). Otherwise each allocation is a slow call (cuMemAllocManaged), and each free is slow and
/// waits for the stream. Copies of the object are handles of the same resource.
///
///     ManagedMemoryResource managed({.preferred_location = device});
///     Buffer buffer = managed.allocate(stream, size);
class CUBIND_EXPORT ManagedMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource with a new pool, or without one if the driver has no pools of managed memory.
    explicit ManagedMemoryResource(const ManagedMemoryResourceOptions& options = {});

    /// Returns whether the memory is allocated from a pool.
    [[nodiscard]] bool has_pool() const noexcept;
};

}  // namespace CUBIND_NAMESPACE
