// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/address_space.hpp"

#include <bit>
#include <cstddef>
#include <cstring>
#include <new>

#include "platform/pages.hpp"

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
        begin_ = cubind::detail::reserve_pages(size, cubind::detail::PageAccess::read_and_write);
        if (begin_ != 0) size_ = size;
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

void AddressSpace::clear(std::uintptr_t address, std::size_t bytes) noexcept {
    const std::uintptr_t first = (address + page - 1) / page * page;
    const std::uintptr_t last = (address + bytes) / page * page;
    constexpr std::size_t min_pages = 16;  // below, the call takes longer than it saves
    auto* const memory = reinterpret_cast<std::byte*>(address);
    // The kernel's new pages are zero, and use memory from their first access on.
    if (last < first + min_pages * page || !cubind::detail::discard_pages(first, last - first)) {
        std::memset(memory, 0, bytes);
        return;
    }
    std::memset(memory, 0, first - address);
    std::memset(reinterpret_cast<void*>(last), 0, address + bytes - last);
}

void AddressSpace::free(std::uintptr_t address, std::size_t bytes) noexcept {
    const std::size_t size = size_class(bytes);
    if (size >= 256 * page) {
        const std::uintptr_t first = (address + page - 1) / page * page;
        cubind::detail::discard_pages(first, (address + size - first) / page * page);
    }
    const std::lock_guard lock(mutex_);
    try {
        free_[size].push_back(address);
    } catch (const std::bad_alloc&) {  // the addresses are not used again
    }
}

}  // namespace CUBIND_NAMESPACE::sim
