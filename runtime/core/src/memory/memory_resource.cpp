// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/memory_resource.hpp>

#include "memory/refusals.hpp"
#include "support/misuse.hpp"

namespace CUBIND_NAMESPACE {

std::optional<Device> MemoryResourceBase::device() const noexcept {
    return std::nullopt;
}

detail::ResourceHandle::ResourceHandle(std::shared_ptr<MemoryResourceBase> base) : base_(std::move(base)) {
    if (base_ == nullptr) throw_misuse("a memory resource must not be nullptr: pass std::make_shared of your class");
}

std::optional<Device> detail::ResourceHandle::device() const noexcept {
    return base_->device();
}

Buffer detail::ResourceHandle::allocate(StreamRef stream, std::size_t size, std::size_t alignment) const {
    if (alignment != MemoryResourceBase::default_alignment) [[unlikely]]
        check_alignment(alignment);
    FreeOrder order(stream);
    const driver::CUdeviceptr pointer = size == 0 ? 0 : base_->allocate(stream, size, alignment);
    if (StreamAccess::retainer(stream) != nullptr && base_->joins_captures()) [[unlikely]]
        order.bind_to_capture();
    return Buffer(pointer, size, alignment, base_.get(), base_, std::move(order));
}

}  // namespace CUBIND_NAMESPACE
