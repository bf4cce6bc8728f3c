// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/physical_store.hpp"

#include <new>
#include <utility>

#include "platform/pages.hpp"
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
    if (!set_file_size(file, size)) return std::nullopt;
    const std::size_t offset = size_;
    size_ = size;
    used_.fetch_add(bytes, std::memory_order_acq_rel);
    return offset;
}

void PhysicalStore::free(std::size_t offset, std::size_t bytes) noexcept {
    free_range(file_.descriptor(), offset, bytes);
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
    return cubind::detail::replace_pages(address, bytes, file, offset);
}

void PhysicalStore::unmap(std::uintptr_t address, std::size_t bytes) {
    cubind::detail::restore_pages(address, bytes);
}

}  // namespace CUBIND_NAMESPACE::sim
