// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/memory_resource.hpp>

#include "errors/misuse.hpp"
#include "memory/allocate_buffer.hpp"

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
    return allocate_from(*base_, base_, stream, size, alignment);
}

}  // namespace CUBIND_NAMESPACE
