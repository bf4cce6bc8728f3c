// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <set>

#include "objects/device/device.hpp"
#include "objects/pool/memory_kind.hpp"
#include "objects/pool/pool_file.hpp"
#include "objects/pool/pool_place.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A pool for stream-ordered allocations. It retains freed memory up to a threshold. Pools of host or managed memory
/// use no device memory, and only enforce their own limit. Thread-safe.
class Pool {
public:
    /// Creates a pool of the memory of a device.
    Pool(driver::CUmemoryPool own_handle, Device& own_device, bool own_is_default)
        : handle(own_handle),
          device(own_device),
          is_default(own_is_default),
          place{.id = own_device.ordinal},
          kind(MemoryKind::device),
          handles(driver::CU_MEM_HANDLE_TYPE_NONE),
          limit_(0) {}
    /// Creates a pool in a place. `own_device` is the device that device_at() returns for the place.
    Pool(driver::CUmemoryPool own_handle, const PoolPlace& own_place, Device& own_device, bool own_is_default,
         std::size_t own_limit = 0, std::shared_ptr<PoolFile> own_file = nullptr,
         driver::CUmemAllocationHandleType own_handles = driver::CU_MEM_HANDLE_TYPE_NONE);
    ~Pool() { trim(0); }

    /// Allocates bytes. Returns false if the device or the pool's limit has fewer left. Imported memory takes no memory of the
    /// device.
    bool allocate(std::size_t bytes);
    /// Returns allocated bytes to the pool.
    void free(std::size_t bytes);
    /// Returns unused memory to the device, until the pool retains at most this many bytes.
    void trim(std::size_t retained_bytes);

    driver::CUresult get(driver::CUmemPool_attribute attribute, void* value) const;
    driver::CUresult set(driver::CUmemPool_attribute attribute, const void* value);

    /// Returns the access that a device has to the memory.
    driver::CUmemAccess_flags access(const Device& user) const {
        const std::lock_guard lock(mutex_);
        const bool is_allowed = is_on(user) || users_.count(user.ordinal) != 0;
        return is_allowed ? driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE : driver::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    }
    void set_access(const Device& user, driver::CUmemAccess_flags flags) {
        const std::lock_guard lock(mutex_);
        if (flags == driver::CU_MEM_ACCESS_FLAGS_PROT_NONE) {
            users_.erase(user.ordinal);
        } else {
            users_.insert(user.ordinal);
        }
    }

    /// Checks whether a device can access the memory. All devices can access host and managed memory.
    bool allows(const Device& user) const {
        return kind != MemoryKind::device || access(user) != driver::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    }

    /// Checks whether the pool can be the current pool of the device.
    bool is_at(const Device& user) const noexcept {
        return place.location == driver::CU_MEM_LOCATION_TYPE_DEVICE && place.id == user.ordinal;
    }

    /// Checks whether another process has created the pool.
    bool is_imported() const noexcept { return file != nullptr && file->is_opened(); }

    /// Checks whether the pool has memory of the device.
    bool is_on(const Device& user) const noexcept { return kind == MemoryKind::device && &user == &device; }

    const driver::CUmemoryPool handle;
    Device& device;
    const bool is_default;
    const PoolPlace place;
    const MemoryKind kind;                            ///< device, host or managed
    const std::shared_ptr<PoolFile> file;             ///< memory that processes share; null if the pool cannot be shared
    const driver::CUmemAllocationHandleType handles;  ///< of the properties; none for an imported pool

private:
    void trim_locked(std::size_t retained_bytes);
    bool is_charged() const noexcept { return kind == MemoryKind::device && !is_imported(); }

    const std::size_t limit_;  ///< maximum bytes; 0 if only the device's memory is the limit
    mutable std::mutex mutex_;
    driver::cuuint64_t threshold_ = 0;
    driver::cuuint64_t reserved_ = 0;
    driver::cuuint64_t reserved_high_ = 0;
    driver::cuuint64_t used_ = 0;
    driver::cuuint64_t used_high_ = 0;
    int reuse_[3] = {1, 1, 1};
    std::set<driver::CUdevice> users_;  ///< other devices that may access the memory
};

}  // namespace CUBIND_NAMESPACE::sim
