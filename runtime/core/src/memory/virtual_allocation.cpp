// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/virtual_allocation.hpp"

#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "errors/misuse.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/physical_handle.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

driver::CUdeviceptr reserve(std::size_t size, std::size_t alignment, driver::CUdeviceptr hint) {
    const RelaxedCaptureMode mode;
    const auto reserved = driver::cuMemAddressReserve(size, alignment, hint, 0);
    if (reserved.status == driver::CUDA_ERROR_OUT_OF_MEMORY) {
        try {
            check_latest(reserved);
        } catch (const Error& error) {
            throw OutOfMemory(error, concat("the process has no free range of ", size,
                                            " bytes of addresses; reserve_size of VirtualBufferOptions selects a smaller range"));
        }
    }
    return check_latest(reserved);
}

}  // namespace

std::size_t round_up_to_granularity(std::size_t size, std::size_t granularity) {
    const std::size_t max_size = ~std::size_t{0} / granularity * granularity;
    if (size > max_size) throw_misuse("cannot allocate ", size, " bytes: a size is at most ", max_size, " bytes");
    return (size + granularity - 1) / granularity * granularity;
}

VirtualAllocation::VirtualAllocation(const VirtualMemoryKind& kind, std::vector<driver::CUmemAccessDesc> access,
                                     std::size_t reserved_size, std::size_t alignment, driver::CUdeviceptr address_hint)
    : kind_(kind),
      reserved_size_(reserved_size),
      address_(reserve(reserved_size, alignment, address_hint)),
      access_(std::move(access)) {}

VirtualAllocation::~VirtualAllocation() {
    if (is_freed_) return;
    try {
        free();
    } catch (...) {
        report_exception_unless_released("free virtual memory");
    }
}

// The memory belongs to the parent.
void VirtualAllocation::renew(void* self) noexcept {
    auto& allocation = *static_cast<VirtualAllocation*>(self);
    ::new (&allocation.mutex_) std::mutex;
    ::new (&allocation.access_) std::vector<driver::CUmemAccessDesc>;
    ::new (&allocation.parts_) std::vector<std::size_t>;
    allocation.mapped_size_ = 0;
    allocation.is_freed_ = true;
}

std::size_t VirtualAllocation::mapped_size() const {
    const std::lock_guard lock(mutex_);
    return mapped_size_;
}

void VirtualAllocation::grow(std::size_t size) {
    if (size > reserved_size_) {
        throw_misuse("a buffer cannot have ", size, " bytes, because ", reserved_size_,
                     " bytes of addresses are reserved for it; create it with a larger reserve_size, or copy to a new buffer");
    }
    const std::lock_guard lock(mutex_);
    if (size <= mapped_size_) return;
    if (is_imported_) {
        throw_misuse("imported memory of ", mapped_size_, " bytes cannot grow to ", size,
                     " bytes: the process that has allocated it must grow and export it, and this process must import it again");
    }
    const std::size_t added = round_up_to_granularity(size - mapped_size_, kind_.granularity);
    const RelaxedCaptureMode mode;
    const PhysicalHandle memory =
        create_physical_memory(kind_.properties, added, kind_.device, concat("the buffer has ", mapped_size_, " bytes"));
    map(memory.native(), added);
}

void VirtualAllocation::map(driver::CUmemGenericAllocationHandle memory, std::size_t size) {
    parts_.reserve(parts_.size() + 1);
    const driver::CUdeviceptr end = address_ + mapped_size_;
    check(driver::cuMemMap(end, size, 0, memory, 0));
    try {
        check(driver::cuMemSetAccess(end, size, access_.data(), access_.size()));
    } catch (...) {
        report_unless_released(driver::cuMemUnmap(end, size), "unmap memory", nullptr);
        throw;
    }
    mapped_size_ += size;
    parts_.push_back(size);
}

void VirtualAllocation::set_access(const driver::CUmemAccessDesc& access) {
    const std::lock_guard lock(mutex_);
    const auto is_same = [&](const driver::CUmemAccessDesc& each) {
        return each.location.type == access.location.type && each.location.id == access.location.id;
    };
    access_.reserve(access_.size() + 1);
    const RelaxedCaptureMode mode;
    check(driver::cuMemSetAccess(address_, mapped_size_, &access, 1));
    const auto found = std::find_if(access_.begin(), access_.end(), is_same);
    if (found != access_.end()) {
        *found = access;
    } else {
        access_.push_back(access);
    }
}

void VirtualAllocation::free() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_freed_, true)) return;
    const RelaxedCaptureMode mode;
    if (mapped_size_ != 0 && !driver::cuMemUnmap(address_, mapped_size_).ok()) {
        check(driver::cuMemUnmap(address_, mapped_size_));  // a second attempt, because the memory would leak otherwise
    }
    check(driver::cuMemAddressFree(address_, reserved_size_));
}

}  // namespace CUBIND_NAMESPACE::detail
