// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/buffer.hpp>

#include <cubind/core/device.hpp>
#include <cubind/core/detail/retainer.hpp>
#include <cubind/core/pointer_attributes.hpp>

#include <atomic>
#include <memory>

#include "memory/free_quietly.hpp"
#include "memory/shared_memory.hpp"
#include "support/misuse.hpp"

namespace cubind {
namespace {

void check_memory(driver::CUdeviceptr pointer, std::size_t size) {
    if (pointer == 0 && size != 0) detail::throw_misuse("a buffer of ", size, " bytes at address 0: there is no memory");
}

}  // namespace

// ---- from elsewhere ------------------------------------------------------------------------------------------------------

Buffer Buffer::from_native_handle(driver::CUdeviceptr pointer, std::size_t size, const MemoryResource& resource, StreamRef stream) {
    check_memory(pointer, size);
    return Buffer(pointer, size, resource.base().get(), resource.base(), detail::FreeOrder(stream));
}

Buffer Buffer::from_native_handle(driver::CUdeviceptr pointer, std::size_t size, std::shared_ptr<const void> owner) {
    check_memory(pointer, size);
    return Buffer(pointer, size, nullptr, std::move(owner), {});
}

Buffer Buffer::from_native_handle(driver::CUdeviceptr pointer, std::size_t size) {
    return from_native_handle(pointer, size, nullptr);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    if (resource_ != nullptr) end();
    pointer_ = other.pointer_;
    size_ = other.size_;
    resource_ = std::exchange(other.resource_, nullptr);
    owner_ = std::move(other.owner_);
    order_ = std::move(other.order_);
    shared_ = other.take_shared();
    is_open_ = std::exchange(other.is_open_, false);
    return *this;
}

// ---- what it is ----------------------------------------------------------------------------------------------------------

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

void detail::throw_no_elements(driver::CUdeviceptr pointer, std::size_t size, std::size_t element_size, std::size_t alignment) {
    if (size % element_size != 0) {
        throw_misuse("a buffer of ", size, " bytes holds no whole number of elements of ", element_size, " bytes each: ",
                     size % element_size, " bytes are left over");
    }
    throw_misuse("a buffer at address ", pointer, " holds no elements that have to lie at multiples of ", alignment);
}

void detail::throw_too_many_elements(std::size_t count, std::size_t element_size) {
    throw_misuse("no memory for ", count, " elements of ", element_size, " bytes each: the largest size there is has ", ~std::size_t{0},
                 " bytes");
}

// ---- its end -------------------------------------------------------------------------------------------------------------

void Buffer::set_deallocation_stream(StreamRef stream) {
    check_open();
    detail::FreeOrder order(stream);
    if (order_.is_of_capture() && detail::StreamAccess::retainer(stream) != nullptr) order.stay_in_capture();
    if (shared_ != nullptr) shared_->kept()->set_order(order);
    order_ = std::move(order);
}

void Buffer::close(StreamRef stream) {
    if (!is_open_) return;
    set_deallocation_stream(stream);
    close();
}

void Buffer::close() {
    if (!is_open_) return;
    if (resource_ != nullptr && size_ != 0 && shared_ == nullptr) {
        order_.deallocate(*resource_, pointer_, size_);
    }
    forget();
}

driver::CUdeviceptr Buffer::release() noexcept {
    if (!is_open_) return 0;
    if (shared_ != nullptr) shared_->kept()->release();
    forget();
    return pointer_;
}

void Buffer::end() noexcept {
    if (size_ != 0 && shared_ == nullptr) {
        detail::free_quietly(order_, *resource_, pointer_, size_);
    }
    delete take_shared();
}

void Buffer::forget() noexcept {
    delete take_shared();
    resource_ = nullptr;
    owner_.reset();
    order_ = {};
    is_open_ = false;
}

// ---- for captured work ---------------------------------------------------------------------------------------------------

std::shared_ptr<const void> detail::share(const Buffer& buffer) {
    buffer.check_open();
    const bool goes_back = buffer.resource_ != nullptr && buffer.size_ != 0 && !buffer.order_.is_of_capture();
    if (!goes_back) return buffer.owner_;
    const std::atomic_ref<SharedMemory*> slot(buffer.shared_);
    SharedMemory* shared = slot.load(std::memory_order_acquire);
    if (shared == nullptr) {
        const auto kept = std::make_shared<KeptMemory>(buffer.pointer_, buffer.size_, buffer.owner_, buffer.order_);
        auto made = std::make_unique<SharedMemory>(kept);
        if (slot.compare_exchange_strong(shared, made.get(), std::memory_order_acq_rel, std::memory_order_acquire)) {
            shared = made.release();
            kept->take_over(buffer.resource_);
        }
    }
    return shared->kept();
}

void detail::keep_for_capture(StreamRef stream, const Buffer& buffer) {
    Retainer* const retainer = StreamAccess::retainer(stream);
    if (retainer == nullptr) return;
    if (auto shared = share(buffer)) retainer->retain(std::move(shared));
}

}  // namespace cubind
