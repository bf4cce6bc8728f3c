// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/physical_memory.hpp"

#include "platform/pages.hpp"

namespace CUBIND_NAMESPACE::sim {

std::shared_ptr<std::byte> PhysicalMemory::bytes() {
    const std::lock_guard lock(mutex_);
    if (auto found = bytes_.lock()) return found;
    const std::uintptr_t place = cubind::detail::reserve_pages(size, cubind::detail::PageAccess::none);
    if (place == 0) return nullptr;
    if (!map(place)) {
        cubind::detail::release_pages(place, size);
        return nullptr;
    }
    // The deleter lives as long as `bytes_`, so it gives up the memory when it is called.
    const auto unmap = [self = shared_from_this()](std::byte* data) mutable {
        cubind::detail::release_pages(reinterpret_cast<std::uintptr_t>(data), self->size);
        self.reset();
    };
    const std::shared_ptr<std::byte> made(reinterpret_cast<std::byte*>(place), unmap);
    bytes_ = made;
    return made;
}

}  // namespace CUBIND_NAMESPACE::sim
