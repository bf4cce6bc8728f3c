// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/detail/free_order.hpp>
#include <cubind/core/memory/host_allocator.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pmr_memory_resource.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/stream.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/counted_allocation.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {

class HostMemory {
public:
    HostMemory(const MemoryResource& resource, StreamRef stream)
        : resource_(resource.base()), stream_(StreamAccess::handle(stream)), order_(stream), allocations_(stream.context()) {
        if (resource_->is_host_accessible()) return;
        throw_misuse(
            "the elements of a container need memory that the host can access: use a LegacyPinnedMemoryResource, a "
            "PinnedMemoryResource or a ManagedMemoryResource");
    }

    // Waits only for the allocation itself, because its stream has no other work. While another stream is being captured, the
    // wait must not invalidate that capture.
    void* allocate(std::size_t size, std::size_t alignment) {
        check_alignment(alignment);
        const ScopedContext scope(allocations_.context());  // memory that is not from a pool belongs to the current context
        const RelaxedCaptureMode mode;
        Allocation whole = whole_of(size, alignment);
        whole.pointer = resource_->allocate(allocations_, whole.size, whole.alignment);
        try {
            check(driver::cuStreamSynchronize(StreamAccess::handle(allocations_)));
            return alignment == whole.alignment ? reinterpret_cast<void*>(whole.pointer) : aligned_part(whole.pointer, alignment);
        } catch (...) {
            free_quietly(FreeOrder(allocations_), *resource_, whole);
            throw;
        }
    }
    void deallocate(void* pointer, std::size_t size, std::size_t alignment) noexcept {
        Allocation whole = whole_of(size, alignment);
        whole.pointer = alignment == whole.alignment ? reinterpret_cast<driver::CUdeviceptr>(pointer) : take_whole(pointer);
        free_quietly(order_, *resource_, whole);
    }
    bool is_equal_to(const HostMemory& other) const {
        // The handle of a default stream denotes one stream in each context.
        return resource_ == other.resource_ && stream_ == other.stream_ && allocations_.context() == other.allocations_.context();
    }

private:
    // Returns size and alignment of the memory that the resource allocates. It allocates no empty memory, but
    // std::pmr::memory_resource returns an address for it. The driver guarantees no larger alignment than the default one, but
    // the pools of std::pmr request it, so that a part of a larger allocation is used.
    static Allocation whole_of(std::size_t size, std::size_t alignment) {
        const std::size_t used = std::max<std::size_t>(size, 1);
        if (alignment <= MemoryResourceBase::default_alignment) return {0, used, alignment};
        if (used > std::numeric_limits<std::size_t>::max() - alignment) throw_bad_array_length();
        return {0, used + alignment, MemoryResourceBase::default_alignment};
    }
    void* aligned_part(driver::CUdeviceptr whole, std::size_t alignment) {
        void* const part = reinterpret_cast<void*>((whole + alignment - 1) / alignment * alignment);
        const std::lock_guard lock(mutex_);
        wholes_.emplace(part, whole);
        return part;
    }
    driver::CUdeviceptr take_whole(void* part) noexcept {
        const std::lock_guard lock(mutex_);
        const auto found = wholes_.find(part);
        const driver::CUdeviceptr whole = found->second;
        wholes_.erase(found);
        return whole;
    }

    std::shared_ptr<MemoryResourceBase> resource_;
    driver::CUstream stream_;
    FreeOrder order_;
    Stream allocations_;
    std::mutex mutex_;
    std::map<void*, driver::CUdeviceptr> wholes_;  // aligned parts, and the allocations that contain them
};

std::shared_ptr<HostMemory> make_host_memory(const MemoryResource& resource, StreamRef stream) {
    return std::make_shared<HostMemory>(resource, stream);
}

std::shared_ptr<HostMemory> make_host_memory(StreamRef stream) {
    return make_host_memory(LegacyPinnedMemoryResource(), stream);
}

void throw_bad_array_length() {
    throw std::bad_array_new_length();
}

void* allocate(HostMemory& memory, std::size_t size, std::size_t alignment) {
    return memory.allocate(size, alignment);
}

void deallocate(HostMemory& memory, void* pointer, std::size_t size, std::size_t alignment) noexcept {
    memory.deallocate(pointer, size, alignment);
}

bool is_equal(const HostMemory& left, const HostMemory& right) noexcept {
    return left.is_equal_to(right);
}

}  // namespace detail

// ---- the polymorphic resource --------------------------------------------------------------------------------------------

PmrMemoryResource::PmrMemoryResource(StreamRef stream) : memory_(detail::make_host_memory(stream)) {}

PmrMemoryResource::PmrMemoryResource(const MemoryResource& resource, StreamRef stream)
    : memory_(detail::make_host_memory(resource, stream)) {}

PmrMemoryResource::~PmrMemoryResource() = default;

void* PmrMemoryResource::do_allocate(std::size_t size, std::size_t alignment) {
    return detail::allocate(*memory_, size, alignment);
}

void PmrMemoryResource::do_deallocate(void* pointer, std::size_t size, std::size_t alignment) {
    detail::deallocate(*memory_, pointer, size, alignment);
}

bool PmrMemoryResource::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
    const auto* const same = dynamic_cast<const PmrMemoryResource*>(&other);
    return same != nullptr && detail::is_equal(*memory_, *same->memory_);
}

}  // namespace CUBIND_NAMESPACE
