// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/heap.hpp"

#include <new>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::size_t unit = 16;

}  // namespace

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
    if (bytes > limit_) return 0;
    const std::size_t size = bytes == 0 ? unit : (static_cast<std::size_t>(bytes) + unit - 1) / unit * unit;
    const std::lock_guard lock(mutex_);
    if (size > limit_ - used_) return 0;
    try {
        const std::uint64_t address = memory_.allocate(size);
        if (address == 0) return 0;
        sizes_.emplace(address, size);
        used_ += size;
        return address;
    } catch (const std::bad_alloc&) {
        return 0;
    }
}

bool DeviceHeap::free(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(address);
    if (found == sizes_.end()) return false;
    memory_.free(address);
    used_ -= found->second;
    sizes_.erase(found);
    return true;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
