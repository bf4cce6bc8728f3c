// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/memory_resource.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cubind {

namespace detail {
class MemoryPool;
}

/// What a pool may do to hand out memory sooner, and how much it has: a view, which keeps the pool. Bytes are counted as the driver
/// counts them. Any thread may use it (cuMemPoolGetAttribute, cuMemPoolSetAttribute).
///
///     pool.attributes().set_release_threshold(std::uint64_t{1} << 30);
class MemoryPoolAttributes {
public:
    explicit MemoryPoolAttributes(std::shared_ptr<detail::MemoryPool> pool) noexcept : pool_(std::move(pool)) {}

    /// Whether memory that was freed in one stream is used in another that was made to wait for it.
    bool reuse_follow_event_dependencies() const;
    void set_reuse_follow_event_dependencies(bool value) const;
    /// Whether memory that was freed in another stream is used once that free is done.
    bool reuse_allow_opportunistic() const;
    void set_reuse_allow_opportunistic(bool value) const;
    /// Whether the driver may make a stream wait for another, so that memory which that frees can be used.
    bool reuse_allow_internal_dependencies() const;
    void set_reuse_allow_internal_dependencies(bool value) const;

    /// How many bytes the pool keeps when streams, events or contexts are waited for, rather than give them back to the device.
    std::uint64_t release_threshold() const;
    void set_release_threshold(std::uint64_t bytes) const;

    /// What the pool has of the device's memory, now, and at most since the last reset.
    std::uint64_t reserved_mem_current() const;
    std::uint64_t reserved_mem_high() const;
    void reset_reserved_mem_high() const;
    /// What is in use of that.
    std::uint64_t used_mem_current() const;
    std::uint64_t used_mem_high() const;
    void reset_used_mem_high() const;

private:
    std::shared_ptr<detail::MemoryPool> pool_;
};

/// What memory resources on a pool of the driver share. A handle, as every MemoryResource; any thread may use it. Allocating and freeing
/// happen in stream order and never block (cuMemAllocFromPoolAsync, cuMemFreeAsync); the memory may be used on another stream that
/// was made to wait for the one that it was allocated on.
class PoolMemoryResource : public MemoryResource {
public:
    /// For calls of the driver.
    driver::CUmemoryPool native_handle() const noexcept;
    /// Whether the pool ends with the last handle and buffer; the driver's own pools do not.
    bool is_handle_owned() const noexcept;

    MemoryPoolAttributes attributes() const { return MemoryPoolAttributes(pool_); }

    /// Gives memory that is not in use back to the device, but for that many bytes, at once (cuMemPoolTrimTo). What streams are about to
    /// free counts as used.
    void trim(std::size_t bytes_to_keep = 0) const;

    /// Lets kernels of another device use all memory of the pool, also what was allocated before (cuMemPoolSetAccess). Throws where
    /// the devices cannot reach each other. The pool's own device always may.
    void allow_peer_access(Device device) const;
    void forbid_peer_access(Device device) const;
    /// Exactly these other devices may.
    void set_peer_accessible_by(const std::vector<Device>& devices) const;
    /// Which other devices may (cuMemPoolGetAccess).
    std::vector<Device> peer_accessible_by() const;

protected:
    explicit PoolMemoryResource(std::shared_ptr<detail::MemoryPool> pool);

private:
    std::shared_ptr<detail::MemoryPool> pool_;
};

}  // namespace cubind
