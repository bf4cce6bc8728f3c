// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/physical_memory.hpp"

#include <sys/mman.h>

namespace CUBIND_NAMESPACE::sim {

std::shared_ptr<std::byte> PhysicalMemory::bytes() {
    const std::lock_guard lock(mutex_);
    if (auto found = bytes_.lock()) return found;
    void* const place = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return nullptr;
    if (!map(reinterpret_cast<std::uintptr_t>(place))) {
        munmap(place, size);
        return nullptr;
    }
    // The deleter lives as long as `bytes_`, so it gives up the memory when it is called.
    const auto unmap = [self = shared_from_this()](std::byte* data) mutable {
        munmap(data, self->size);
        self.reset();
    };
    const std::shared_ptr<std::byte> made(static_cast<std::byte*>(place), unmap);
    bytes_ = made;
    return made;
}

}  // namespace CUBIND_NAMESPACE::sim
