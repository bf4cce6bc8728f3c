// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/address_space.hpp"

#include <bit>
#include <sys/mman.h>

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::size_t page = 4096;

// Sizes are rounded up to multiples of an eighth of their power of two, and of 512. This gives few size classes and
// wastes little memory.
std::size_t size_class(std::size_t bytes) noexcept {
    const std::size_t step = std::bit_floor(bytes) / 8 < 512 ? 512 : std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
}

}  // namespace

AddressSpace& AddressSpace::instance() {
    static AddressSpace& space = *new AddressSpace;
    return space;
}

AddressSpace::AddressSpace() {
    // The range is reserved only; a page uses memory from its first access on. If the process has a limit, a smaller
    // range is reserved.
    for (std::size_t size = std::size_t{1} << 42; begin_ == 0 && size >= std::size_t{1} << 24; size /= 2) {
        void* const found = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (found == MAP_FAILED) continue;
        begin_ = reinterpret_cast<std::uintptr_t>(found);
        size_ = size;
    }
}

std::uintptr_t AddressSpace::allocate(std::size_t bytes) {
    if (bytes > size_) return 0;
    const std::size_t size = size_class(bytes);
    const std::lock_guard lock(mutex_);
    auto& available = free_[size];
    if (!available.empty()) {
        const std::uintptr_t address = available.front();
        available.pop_front();
        return address;
    }
    if (size > size_ - used_) return 0;
    const std::uintptr_t address = begin_ + used_;
    used_ += size;
    return address;
}

void AddressSpace::free(std::uintptr_t address, std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (size >= 256 * page) {
        const std::uintptr_t first = (address + page - 1) / page * page;
        madvise(reinterpret_cast<void*>(first), (address + size - first) / page * page, MADV_DONTNEED);
    }
    const std::lock_guard lock(mutex_);
    free_[size].push_back(address);
}

}  // namespace CUBIND_NAMESPACE::sim
