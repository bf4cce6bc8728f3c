// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/allocation_type.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
class MemoryPool;
}

/// A view of the attributes of a memory pool (cuMemPoolGetAttribute, cuMemPoolSetAttribute). It retains the pool. Sizes are
/// in bytes as the driver counts them. Any thread may use it.
///
///     pool.attributes().set_release_threshold(std::uint64_t{1} << 30);
class CUBIND_EXPORT MemoryPoolAttributes {
public:
    /// Returns whether memory that was freed in one stream is reused in another stream that waits for the first stream through
    /// an event.
    [[nodiscard]] bool reuse_follow_event_dependencies() const;
    /// Sets whether memory is reused across streams that wait for each other through events.
    void set_reuse_follow_event_dependencies(bool value) const;
    /// Returns whether memory that was freed in another stream is reused once that free is done.
    [[nodiscard]] bool reuse_allow_opportunistic() const;
    /// Sets whether memory that was freed in another stream is reused once that free is done.
    void set_reuse_allow_opportunistic(bool value) const;
    /// Returns whether the driver may make a stream wait for another stream so that memory freed in that stream can be reused.
    [[nodiscard]] bool reuse_allow_internal_dependencies() const;
    /// Sets whether the driver may make a stream wait for another stream so that memory freed in that stream can be reused.
    void set_reuse_allow_internal_dependencies(bool value) const;

    /// Returns the number of bytes that the pool retains. If it has more, the driver returns unused memory to the device when
    /// the host next waits for a stream, an event or a context.
    [[nodiscard]] std::uint64_t release_threshold() const;
    /// Sets the number of bytes that the pool retains.
    void set_release_threshold(std::uint64_t bytes) const;

    /// Returns the size of the memory that the pool has obtained from the device.
    [[nodiscard]] std::uint64_t reserved_mem_current() const;
    /// Returns the maximum of reserved_mem_current() since the last reset.
    [[nodiscard]] std::uint64_t reserved_mem_high() const;
    /// Resets reserved_mem_high().
    void reset_reserved_mem_high() const;
    /// Returns the size of the pool's memory that is allocated to buffers.
    [[nodiscard]] std::uint64_t used_mem_current() const;
    /// Returns the maximum of used_mem_current() since the last reset.
    [[nodiscard]] std::uint64_t used_mem_high() const;
    /// Resets used_mem_high().
    void reset_used_mem_high() const;

    // What the pool was created with. These functions require a driver of CUDA 13.2 or later; locality_domain() requires 13.4.
    // With older drivers they throw Error, which names the release.

    /// Returns whether the memory stays in its location or is managed.
    [[nodiscard]] AllocationType allocation_type() const;
    /// Returns by which handles other processes can obtain the pool; none for a pool of another process.
    [[nodiscard]] SharingHandle export_handle_types() const;
    /// Returns the location of the memory; std::nullopt for managed memory without a preferred location, and for memory of a
    /// device that this process does not see.
    [[nodiscard]] std::optional<MemoryLocation> location() const;
    /// Returns the maximum size in bytes, to which the driver may have rounded that of the options up; 0 if there is none.
    [[nodiscard]] std::uint64_t max_pool_size() const;
    /// Returns whether the decompression engine of the device can use the memory.
    [[nodiscard]] bool hw_decompress_enabled() const;
    /// Returns the number of the locality domain of the memory; std::nullopt for a pool of the whole device or the host.
    [[nodiscard]] std::optional<int> locality_domain() const;

private:
    friend class ManagedMemoryResource;
    friend class PoolMemoryResource;
    explicit MemoryPoolAttributes(std::shared_ptr<detail::MemoryPool> pool) noexcept : pool_(std::move(pool)) {}

    std::shared_ptr<detail::MemoryPool> pool_;
};

/// The common part of DeviceMemoryResource and PinnedMemoryResource: a handle of a memory pool of the driver. Any
/// thread may use it. Allocating and freeing happen in stream order and do not block (cuMemAllocFromPoolAsync,
/// cuMemFreeAsync). Another stream may use the memory if it waits for the stream of the allocation.
class CUBIND_EXPORT PoolMemoryResource : public detail::ResourceHandle {
public:
    /// Returns the native handle of the pool, for driver calls.
    [[nodiscard]] driver::CUmemoryPool native_handle() const noexcept;
    /// Returns whether cubind destroys the pool with its last handle and buffer. The driver's default pools are not owned.
    [[nodiscard]] bool is_handle_owned() const noexcept;

    /// Returns a view of the pool's attributes.
    [[nodiscard]] MemoryPoolAttributes attributes() const { return MemoryPoolAttributes(pool_); }

    /// Returns unused memory to the device at once, except for `bytes_to_retain` bytes (cuMemPoolTrimTo). Memory whose free
    /// is still pending in a stream counts as used.
    void trim(std::size_t bytes_to_retain = 0) const;

    /// Lets kernels of another device access all memory of the pool, including earlier allocations
    /// (cuMemPoolSetAccess). Throws Error if the devices cannot access each other. The pool's own device always has
    /// access.
    void allow_peer_access(Device device) const;
    /// Withdraws the access of another device (cuMemPoolSetAccess).
    void forbid_peer_access(Device device) const;
    /// Grants access to exactly these other devices (cuMemPoolSetAccess).
    void set_peer_accessible_by(const std::vector<Device>& devices) const;
    /// Returns the other devices that have access (cuMemPoolGetAccess).
    [[nodiscard]] std::vector<Device> peer_accessible_by() const;

    /// Returns whether processes can share the pool: it was created with the option ipc_enabled or sharing, or is_mapped().
    [[nodiscard]] bool is_ipc_enabled() const noexcept;
    /// Returns the identity of the pool, which is the same in all processes that share it. Zeros if no processes share the pool,
    /// or if the process that sent it has stated no identity.
    [[nodiscard]] PoolUuid uuid() const noexcept;
    /// Returns a handle for other processes, which open the pool by from_allocation_handle() (cuMemPoolExportToShareableHandle):
    /// a file descriptor if the pool has them, otherwise a fabric handle. Only the process that has created the pool can call it.
    /// Throws std::invalid_argument for a pool without ipc_enabled or sharing, and for a pool of another process.
    IpcAllocationHandle allocation_handle() const;
    /// Returns a handle of this kind, which is one of those that the pool was created with.
    [[nodiscard]] IpcAllocationHandle allocation_handle(SharingHandle kind) const;

protected:
    /// Creates a handle of the pool.
    explicit PoolMemoryResource(std::shared_ptr<detail::MemoryPool> pool);
    /// Creates another handle of the pool.
    PoolMemoryResource(const PoolMemoryResource&) = default;
    /// Becomes another handle of the pool.
    PoolMemoryResource& operator=(const PoolMemoryResource&) = default;
    ~PoolMemoryResource() = default;

private:
    friend class Buffer;

    std::shared_ptr<detail::MemoryPool> pool_;
};

}  // namespace CUBIND_NAMESPACE
