// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/pool_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/driver/memory_pool.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/counted_allocation.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {
namespace {

void check_memory(driver::CUdeviceptr pointer, std::size_t size) {
    if (pointer == 0 && size != 0) detail::throw_misuse("a buffer of ", size, " bytes cannot have address 0");
}

}  // namespace

// ---- creation ------------------------------------------------------------------------------------------------------------

Buffer Buffer::from_native_handle(driver::CUdeviceptr pointer, std::size_t size, const MemoryResource& resource, StreamRef stream,
                                  std::size_t alignment) {
    check_memory(pointer, size);
    detail::check_alignment(alignment);
    return Buffer(pointer, size, alignment, resource.base().get(), resource.base(), detail::FreeOrder(stream));
}

Buffer Buffer::view_of(driver::CUdeviceptr pointer, std::size_t size, std::shared_ptr<const void> owner) {
    check_memory(pointer, size);
    return Buffer(pointer, size, 1, nullptr, std::move(owner), {});
}

Buffer Buffer::view_of(driver::CUdeviceptr pointer, std::size_t size) {
    return view_of(pointer, size, nullptr);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    if (resource_ != nullptr) destroy_quietly();
    pointer_ = other.pointer_;
    size_ = other.size_;
    resource_ = std::exchange(other.resource_, nullptr);
    owner_ = std::move(other.owner_);
    order_ = std::move(other.order_);
    counted_ = other.take_counted();
    alignment_ = other.alignment_;
    is_open_ = std::exchange(other.is_open_, false);
    return *this;
}

// ---- properties ----------------------------------------------------------------------------------------------------------

std::optional<MemoryResource> Buffer::memory_resource() const {
    check_open();
    if (resource_ == nullptr) return std::nullopt;
    return MemoryResource(std::shared_ptr<MemoryResourceBase>(owner_, resource_));
}

std::shared_ptr<const void> Buffer::owner() const {
    check_open();
    return resource_ == nullptr ? owner_ : nullptr;
}

std::optional<Device> Buffer::device() const {
    check_open();
    if (resource_ != nullptr) return resource_->device();
    const auto attributes = PointerAttributes::of(pointer_);
    return attributes.kind == MemoryType::device ? attributes.device : std::nullopt;
}

bool Buffer::is_device_accessible() const {
    check_open();
    return resource_ != nullptr ? resource_->is_device_accessible() : PointerAttributes::of(pointer_).device_pointer != 0;
}

bool Buffer::is_host_accessible() const {
    check_open();
    if (resource_ != nullptr) return resource_->is_host_accessible();
    const auto attributes = PointerAttributes::of(pointer_);
    return attributes.kind == MemoryType::unregistered || attributes.host_pointer != nullptr;
}

bool Buffer::is_managed() const {
    check_open();
    return resource_ != nullptr ? resource_->is_managed() : PointerAttributes::of(pointer_).is_managed;
}

void detail::throw_not_elements(driver::CUdeviceptr pointer, std::size_t size, std::size_t element_size, std::size_t alignment) {
    if (size % element_size != 0) {
        throw_misuse("a buffer of ", size, " bytes does not hold a whole number of elements of ", element_size,
                     " bytes each: ", size % element_size, " bytes remain");
    }
    throw_misuse("a buffer at address ", pointer, " cannot hold elements whose addresses must be multiples of ", alignment);
}

void detail::throw_too_many_elements(std::size_t count, std::size_t element_size) {
    throw_misuse("cannot allocate ", count, " elements of ", element_size, " bytes each: a size is at most ", ~std::size_t{0},
                 " bytes");
}

void detail::throw_not_in_range(const char* function, std::size_t offset, std::size_t count, std::size_t element_count) {
    throw_misuse("TypedBuffer::", function, "() of ", count, " elements from element ", offset, " on: the buffer has ",
                 element_count);
}

// ---- contents ------------------------------------------------------------------------------------------------------------

// Returns new memory with the contents that fit.
Buffer Buffer::resized(const char* verb, StreamRef stream, std::size_t size) const {
    const auto resource = memory_resource();
    if (!resource) {
        detail::throw_misuse("cannot ", verb, " a view of ", detail::bytes_at(size_, pointer_),
                             ", because it has no memory resource: allocate a Buffer and copy() to it");
    }
    Buffer other = resource->allocate(stream, size, alignment_);
    const std::size_t kept = std::min(size_, size);
    detail::copy(stream, {{other.pointer_, kept, &other}, {pointer_, kept, this}});
    return other;
}

Buffer Buffer::clone(StreamRef stream) const {
    return resized("clone", stream, size());
}

void Buffer::resize(StreamRef stream, std::size_t size) {
    if (size == this->size()) return;
    Buffer other = resized("resize", stream, size);
    set_deallocation_stream(stream);
    *this = std::move(other);
}

void detail::read_element(StreamRef stream, const MemoryView& element, void* value) {
    if (stream.is_capturing()) {
        throw_misuse(
            "cannot read an element of a buffer in a stream that is captured, because the value exists only after a launch "
            "of the graph: capture a copy() to pinned memory");
    }
    copy(stream, {{reinterpret_cast<driver::CUdeviceptr>(value), element.size, nullptr}, element});
    stream.synchronize();
}

// ---- other processes -----------------------------------------------------------------------------------------------------

bool Buffer::is_mapped() const {
    check_open();
    return resource_ != nullptr && resource_->is_mapped();
}

IpcBufferDescriptor Buffer::ipc_descriptor() const {
    check_open();
    if (is_mapped()) detail::throw_misuse("only the process that has allocated a buffer can send it to other processes");
    IpcBufferDescriptor descriptor;
    descriptor.size = size_;
    if (const auto* const pool = dynamic_cast<const detail::MemoryPool*>(resource_)) {
        if (pool->sharing() == nullptr) {
            detail::throw_misuse("other processes cannot map ", detail::bytes_at(size_, pointer_),
                                 "; allocate the buffer from a memory pool with the option .ipc_enabled = true");
        }
        descriptor.pool = pool->sharing()->uuid;
        // The driver exports no memory of a pool before the pool itself.
        if (size_ != 0 && !pool->sharing()->is_exported.load(std::memory_order_relaxed))
            (void)pool->export_handle(pool->sharing()->usual_kind());
    }
    if (size_ == 0) return descriptor;
    const detail::RelaxedCaptureMode mode;
    const auto exported = driver::cuMemPoolExportPointer(pointer_);
    if (!exported.ok()) {
        detail::throw_with_advice({exported.status},
                                  detail::concat("other processes can map only whole buffers from a memory pool with the option "
                                                 ".ipc_enabled = true, not ",
                                                 detail::bytes_at(size_, pointer_)));
    }
    std::memcpy(descriptor.data.data(), exported.value.reserved, sizeof exported.value.reserved);
    return descriptor;
}

Buffer Buffer::from_ipc_descriptor(StreamRef stream, const PoolMemoryResource& pool, const IpcBufferDescriptor& descriptor) {
    detail::PoolSharing* const sharing = pool.pool_->sharing();
    if (sharing == nullptr || !sharing->is_mapped) {
        detail::throw_misuse(
            "cannot import ", descriptor.size,
            " bytes: the memory pool is not one of another process. Use the Buffer itself in the process that has "
            "allocated it, and from_allocation_handle() in other processes");
    }
    const bool is_known = descriptor.pool != PoolUuid{} && sharing->uuid != PoolUuid{};
    if (is_known && descriptor.pool != sharing->uuid) {
        detail::throw_misuse("cannot import ", descriptor.size, " bytes of the memory pool {", descriptor.pool[0], ", ",
                             descriptor.pool[1], "} from the pool {", sharing->uuid[0], ", ", sharing->uuid[1], "}");
    }
    detail::FreeOrder order(stream);
    const driver::CUdeviceptr pointer = descriptor.size == 0 ? 0 : sharing->import(pool.native_handle(), descriptor);
    return Buffer(pointer, descriptor.size, MemoryResourceBase::default_alignment, pool.pool_.get(), pool.pool_,
                  std::move(order));
}

// ---- lifetime ------------------------------------------------------------------------------------------------------------

void Buffer::set_deallocation_stream(StreamRef stream) {
    check_open();
    detail::FreeOrder order(stream);
    if (order_.is_bound_to_capture() && detail::StreamAccess::may_be_capturing(stream)) order.bind_to_capture();
    if (counted_ != nullptr) counted_->set_order(order);
    order_ = std::move(order);
}

void Buffer::close(StreamRef stream) {
    if (!is_open_) return;
    set_deallocation_stream(stream);
    close();
}

void Buffer::close() {
    if (!is_open_) return;
    const bool is_freed_here = resource_ != nullptr && size_ != 0 && counted_ == nullptr;
    if (!is_freed_here) return reset();
    Buffer closed = std::move(*this);  // if the resource throws, nothing frees the memory again
    MemoryResourceBase& resource = *std::exchange(closed.resource_, nullptr);
    closed.order_.deallocate(resource, closed.pointer_, closed.size_, closed.alignment_);
}

driver::CUdeviceptr Buffer::release() noexcept {
    if (!is_open_) return 0;
    if (counted_ != nullptr) counted_->release_memory();
    reset();
    return pointer_;
}

void Buffer::destroy_quietly() noexcept {
    if (counted_ != nullptr) [[unlikely]]
        return take_counted()->drop_buffer_reference();
    if (size_ != 0) detail::free_quietly(order_, *resource_, {pointer_, size_, alignment_});
}

void Buffer::reset() noexcept {
    if (counted_ != nullptr) take_counted()->drop_buffer_reference();
    resource_ = nullptr;
    owner_.reset();
    order_ = {};
    is_open_ = false;
}

// ---- captured work -------------------------------------------------------------------------------------------------------

std::shared_ptr<const void> detail::share(const Buffer& buffer) {
    buffer.check_open();
    const bool is_freed = buffer.resource_ != nullptr && buffer.size_ != 0 && !buffer.order_.is_bound_to_capture();
    if (!is_freed) return buffer.owner_;
    const std::atomic_ref<CountedAllocation*> slot(buffer.counted_);
    CountedAllocation* counted = slot.load(std::memory_order_acquire);
    if (counted == nullptr) {
        CountedAllocation* const created =
            CountedAllocation::create({buffer.pointer_, buffer.size_, buffer.alignment_}, buffer.owner_, buffer.order_);
        if (slot.compare_exchange_strong(counted, created, std::memory_order_acq_rel, std::memory_order_acquire)) {
            created->take_over(buffer.resource_);
            counted = created;
        } else {
            created->drop_buffer_reference();  // another thread was first
        }
    }
    return counted->reference();
}

void detail::retain_for_capture(StreamRef stream, const Buffer& buffer) {
    Retainer* const retainer = StreamAccess::retainer(stream);
    if (retainer == nullptr) return;
    if (auto shared = share(buffer)) retainer->retain(std::move(shared));
}

}  // namespace CUBIND_NAMESPACE
