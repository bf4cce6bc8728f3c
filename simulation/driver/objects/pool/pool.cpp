// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/pool/pool.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

MemoryKind kind_at(const PoolPlace& place) noexcept {
    if (place.type == CU_MEM_ALLOCATION_TYPE_MANAGED) return MemoryKind::managed;
    return place.location == CU_MEM_LOCATION_TYPE_DEVICE ? MemoryKind::device : MemoryKind::host;
}

}  // namespace

Pool::Pool(CUmemoryPool own_handle, const PoolPlace& own_place, Device& own_device, bool own_is_default, std::size_t own_limit,
           std::shared_ptr<PoolFile> own_file, CUmemAllocationHandleType own_handles)
    : handle(own_handle),
      device(own_device),
      is_default(own_is_default),
      place(own_place),
      kind(kind_at(own_place)),
      file(std::move(own_file)),
      handles(own_handles),
      limit_(own_limit) {}

bool Pool::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (limit_ != 0 && bytes > limit_ - std::min<std::size_t>(limit_, used_)) return false;
    const std::size_t idle = reserved_ - used_;
    if (bytes > idle) {
        if (is_charged() && !device.charge(bytes - idle)) return false;
        reserved_ += bytes - idle;
    }
    used_ += bytes;
    used_high_ = std::max(used_high_, used_);
    reserved_high_ = std::max(reserved_high_, reserved_);
    return true;
}

void Pool::free(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
    trim_locked(threshold_);
}

void Pool::trim(std::size_t retained_bytes) {
    const std::lock_guard lock(mutex_);
    trim_locked(retained_bytes);
}

void Pool::trim_locked(std::size_t retained_bytes) {
    const cuuint64_t target = std::max<cuuint64_t>(used_, retained_bytes);
    if (reserved_ <= target) return;
    if (is_charged()) device.discharge(reserved_ - target);
    reserved_ = target;
}

CUresult Pool::get(CUmemPool_attribute attribute, void* value) const {
    const std::lock_guard lock(mutex_);
    const auto write = [&](cuuint64_t number) { return *static_cast<cuuint64_t*>(value) = number, CUDA_SUCCESS; };
    const auto write_int = [&](auto number) { return *static_cast<int*>(value) = static_cast<int>(number), CUDA_SUCCESS; };
    switch (attribute) {
        case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
            return write_int(reuse_[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES]);
        case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
            return write(threshold_);
        case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
            return write(reserved_);
        case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
            return write(reserved_high_);
        case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
            return write(used_);
        case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
            return write(used_high_);
        case CU_MEMPOOL_ATTR_ALLOCATION_TYPE:
            return write_int(place.type);
        case CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES:
            return write_int(handles);
        case CU_MEMPOOL_ATTR_LOCATION_ID:
            return write_int(place.id);
        case CU_MEMPOOL_ATTR_LOCATION_TYPE:
            return write_int(place.location);
        case CU_MEMPOOL_ATTR_MAX_POOL_SIZE:
            return write(limit_);
        case CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED:
            return write_int(0);  // the devices have no decompression engine
        case CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID:
            return write_int(-1);  // the devices have one domain
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult Pool::set(CUmemPool_attribute attribute, const void* value) {
    const std::lock_guard lock(mutex_);
    switch (attribute) {
        case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
        case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
            reuse_[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *static_cast<const int*>(value);
            return CUDA_SUCCESS;
        case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
            threshold_ = *static_cast<const cuuint64_t*>(value);
            return CUDA_SUCCESS;
        default:
            break;
    }
    // High watermarks are read-only, except that 0 resets them to the current value.
    if (*static_cast<const cuuint64_t*>(value) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) return reserved_high_ = reserved_, CUDA_SUCCESS;
    if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH) return used_high_ = used_, CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_VALUE;
}

}  // namespace CUBIND_NAMESPACE::sim
