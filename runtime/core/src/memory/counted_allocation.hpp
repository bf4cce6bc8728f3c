// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/free_order.hpp>
#include <cubind/core/memory/memory_resource.hpp>

#include <memory>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// The address, size and alignment of memory: the arguments of MemoryResourceBase::deallocate().
struct Allocation {
    driver::CUdeviceptr pointer;
    std::size_t size;
    std::size_t alignment;
};

/// Reports to the cleanup handler that the memory was not freed; the exception that is being handled is the reason.
void report_not_freed(const Allocation& allocation) noexcept;

/// Frees the memory and reports a failure to the cleanup handler.
inline void free_quietly(const FreeOrder& order, MemoryResourceBase& resource, const Allocation& allocation) noexcept {
    try {
        order.deallocate(resource, allocation.pointer, allocation.size, allocation.alignment);
    } catch (...) {
        report_not_freed(allocation);
    }
}

/// A Buffer's allocation that captured work retains, too. The memory is freed when the Buffer and the captured work
/// have released it. The reference of the Buffer lies in the object itself, so that the Buffer needs only one pointer.
class CountedAllocation {
public:
    /// Creates an object that owns nothing before take_over(). Only create() calls it.
    CountedAllocation(const Allocation& allocation, std::shared_ptr<const void> owner, FreeOrder order) noexcept
        : allocation_(allocation), owner_(std::move(owner)), order_(std::move(order)) {}
    CountedAllocation(const CountedAllocation&) = delete;
    CountedAllocation& operator=(const CountedAllocation&) = delete;
    ~CountedAllocation() {
        if (resource_ != nullptr) free_quietly(order_, *resource_, allocation_);
    }

    /// Creates an object that holds the reference of its Buffer and does not own the memory yet.
    static CountedAllocation* create(const Allocation& allocation, std::shared_ptr<const void> owner, FreeOrder order) {
        auto created = std::make_shared<CountedAllocation>(allocation, std::move(owner), std::move(order));
        CountedAllocation* const pointer = created.get();
        pointer->buffer_reference_ = std::move(created);
        return pointer;
    }

    // The Buffer calls the functions below. It must not call any of them after drop_buffer_reference().
    std::shared_ptr<const void> reference() const noexcept { return buffer_reference_; }
    void take_over(MemoryResourceBase* resource) noexcept { resource_ = resource; }
    void set_order(FreeOrder order) noexcept { order_ = std::move(order); }
    void release_memory() noexcept { resource_ = nullptr; }
    /// Destroys the object if nothing else retains it.
    void drop_buffer_reference() noexcept { const std::shared_ptr<CountedAllocation> dropped = std::move(buffer_reference_); }

private:
    Allocation allocation_;
    MemoryResourceBase* resource_ = nullptr;
    std::shared_ptr<const void> owner_;
    FreeOrder order_;
    std::shared_ptr<CountedAllocation> buffer_reference_;
};

}  // namespace CUBIND_NAMESPACE::detail
