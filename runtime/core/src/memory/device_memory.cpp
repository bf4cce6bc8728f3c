// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The functions of Device that allocate memory.

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/memory_resource.hpp>

#include "memory/default_memory.hpp"

namespace cubind {

MemoryResource Device::memory_resource() const {
    return detail::default_memory(*this).get(*this);
}

void Device::set_memory_resource(MemoryResource resource) const {
    detail::default_memory(*this).choose(std::move(resource));
}

Buffer Device::allocate(StreamRef stream, std::size_t size) const {
    if (const MemoryResource* const lasting = detail::default_memory(*this).of_driver(*this)) return lasting->allocate(stream, size);
    return memory_resource().allocate(stream, size);
}

}  // namespace cubind
