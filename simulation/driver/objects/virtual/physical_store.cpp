// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/physical_store.hpp"

#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "platform/write_signals.hpp"
#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Never destroyed, because memory may be freed while the process ends.
constinit std::atomic<PhysicalStore*> store_of_process{nullptr};

// The store of the parent process, so that leak checkers find it reachable.
constinit PhysicalStore* store_of_parent = nullptr;

}  // namespace

PhysicalStore& PhysicalStore::instance() {
    PhysicalStore* found = store_of_process.load(std::memory_order_acquire);
    if (found != nullptr) [[likely]]
        return *found;
    static constinit std::mutex mutex;
    const std::lock_guard lock(mutex);
    found = store_of_process.load(std::memory_order_acquire);
    if (found == nullptr) store_of_process.store(found = new PhysicalStore, std::memory_order_release);
    return *found;
}

bool PhysicalStore::is_in_use() noexcept {
    const PhysicalStore* const found = store_of_process.load(std::memory_order_acquire);
    return found != nullptr && found->used_.load(std::memory_order_acquire) != 0;
}

void PhysicalStore::renew() noexcept {
    PhysicalStore* const found = store_of_process.exchange(nullptr, std::memory_order_acq_rel);
    if (found == nullptr) return;
    found->of_parent_ = std::exchange(store_of_parent, found);
}

PhysicalStore::PhysicalStore() : file_(create_anonymous_file("cubind-simulated-memory")) {}

std::optional<std::size_t> PhysicalStore::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto& available = free_[bytes];
    if (!available.empty()) {
        const std::size_t offset = available.front();
        available.pop_front();
        used_.fetch_add(bytes, std::memory_order_acq_rel);
        return offset;
    }
    std::size_t size = 0;
    const int file = file_.descriptor();
    if (file < 0 || __builtin_add_overflow(size_, bytes, &size)) return std::nullopt;
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = ftruncate(file, static_cast<off_t>(size)) != 0;
    if (signals.has_failed) return std::nullopt;
    const std::size_t offset = size_;
    size_ = size;
    used_.fetch_add(bytes, std::memory_order_acq_rel);
    return offset;
}

void PhysicalStore::free(std::size_t offset, std::size_t bytes) noexcept {
    const auto from = static_cast<off_t>(offset);
    fallocate(file_.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, static_cast<off_t>(bytes));
    const std::lock_guard lock(mutex_);
    used_.fetch_sub(bytes, std::memory_order_acq_rel);
    try {
        free_[bytes].push_back(offset);
    } catch (const std::bad_alloc&) {  // the position is not used again
    }
}

bool PhysicalStore::map(std::uintptr_t address, std::size_t bytes, std::size_t offset) const {
    return map_file(file_.descriptor(), address, bytes, offset);
}

bool PhysicalStore::map_file(int file, std::uintptr_t address, std::size_t bytes, std::size_t offset) {
    void* const place = reinterpret_cast<void*>(address);
    const auto from = static_cast<off_t>(offset);
    if (mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, from) == MAP_FAILED) return false;
    madvise(place, bytes, MADV_DONTFORK);
    return true;
}

void PhysicalStore::unmap(std::uintptr_t address, std::size_t bytes) {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
}

}  // namespace CUBIND_NAMESPACE::sim
