// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/memory/pool_memory_resource.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
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
    [[nodiscard]] bool has_pool() const noexcept { return pool_ != nullptr; }
    /// Returns the location that the options state; std::nullopt if the driver chooses.
    [[nodiscard]] std::optional<MemoryLocation> preferred_location() const noexcept { return preferred_location_; }

    /// Returns the native handle of the pool, for driver calls; nullptr without a pool.
    [[nodiscard]] driver::CUmemoryPool native_handle() const noexcept;
    /// Returns whether cubind destroys a pool with its last handle and buffer: true, unless there is no pool.
    [[nodiscard]] bool is_handle_owned() const noexcept { return has_pool(); }
    /// Returns a view of the pool's attributes. Throws Error with CUDA_ERROR_NOT_SUPPORTED without a pool.
    [[nodiscard]] MemoryPoolAttributes attributes() const;
    /// Returns unused memory of the pool at once, except for `bytes_to_retain` bytes (cuMemPoolTrimTo). Has no effect without a
    /// pool, because nothing is retained then.
    void trim(std::size_t bytes_to_retain = 0) const;

private:
    using Location = std::optional<MemoryLocation>;
    ManagedMemoryResource(std::shared_ptr<detail::MemoryPool> pool, const Location& preferred);

    std::shared_ptr<detail::MemoryPool> pool_;  // nullptr without a pool
    Location preferred_location_;
};

}  // namespace CUBIND_NAMESPACE
