// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/memory_resource.hpp>

#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE::detail {

template <class Resource>
inline Buffer ResourceHandle::allocate_from(Resource& resource, const std::shared_ptr<MemoryResourceBase>& base, StreamRef stream,
                                            std::size_t size, std::size_t alignment) {
    if (alignment != MemoryResourceBase::default_alignment) [[unlikely]]
        check_alignment(alignment);
    FreeOrder order(stream);
    const driver::CUdeviceptr pointer = size == 0 ? 0 : resource.allocate(stream, size, alignment);
    Buffer buffer(pointer, size, alignment, &resource, base, std::move(order));
    if (StreamAccess::may_be_capturing(stream) && resource.is_capturable()) [[unlikely]]
        buffer.order_.bind_to_capture();
    return buffer;
}

}  // namespace CUBIND_NAMESPACE::detail
