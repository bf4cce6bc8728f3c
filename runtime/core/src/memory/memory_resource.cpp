// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory_resource.hpp>

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>

#include "support/misuse.hpp"

namespace cubind {

std::optional<Device> MemoryResourceBase::device() const noexcept {
    return std::nullopt;
}

MemoryResource::MemoryResource(std::shared_ptr<MemoryResourceBase> base) : base_(std::move(base)) {
    if (base_ == nullptr) detail::throw_misuse("a memory resource of nullptr: pass std::make_shared of your class");
}

std::optional<Device> MemoryResource::device() const noexcept {
    return base_->device();
}

Buffer MemoryResource::allocate(StreamRef stream, std::size_t size) const {
    detail::FreeOrder order(stream);
    const driver::CUdeviceptr pointer = size == 0 ? 0 : base_->allocate(stream, size);
    if (detail::StreamAccess::retainer(stream) != nullptr && base_->joins_captures()) [[unlikely]] order.stay_in_capture();
    return Buffer(pointer, size, base_.get(), base_, std::move(order));
}

}  // namespace cubind
