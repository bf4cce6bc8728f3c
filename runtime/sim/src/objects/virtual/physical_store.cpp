// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/physical_store.hpp"

#include <cubind/detail/write_signals.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::sim {

PhysicalStore& PhysicalStore::instance() {
    static PhysicalStore& store = *new PhysicalStore;
    return store;
}

PhysicalStore::PhysicalStore() : file_(memfd_create("cubind-simulated-memory", MFD_CLOEXEC)) {}

std::optional<std::size_t> PhysicalStore::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto& available = free_[bytes];
    if (!available.empty()) {
        const std::size_t offset = available.front();
        available.pop_front();
        return offset;
    }
    std::size_t size = 0;
    if (file_ < 0 || __builtin_add_overflow(size_, bytes, &size)) return std::nullopt;
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = ftruncate(file_, static_cast<off_t>(size)) != 0;
    if (signals.has_failed) return std::nullopt;
    const std::size_t offset = size_;
    size_ = size;
    return offset;
}

void PhysicalStore::free(std::size_t offset, std::size_t bytes) {
    const auto from = static_cast<off_t>(offset);
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, static_cast<off_t>(bytes));
    const std::lock_guard lock(mutex_);
    free_[bytes].push_back(offset);
}

bool PhysicalStore::map(std::uintptr_t address, std::size_t bytes, std::size_t offset) const {
    void* const place = reinterpret_cast<void*>(address);
    return mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, static_cast<off_t>(offset)) != MAP_FAILED;
}

void PhysicalStore::unmap(std::uintptr_t address, std::size_t bytes) {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
}

}  // namespace CUBIND_NAMESPACE::sim
