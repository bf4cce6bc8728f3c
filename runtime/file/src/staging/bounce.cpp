// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "staging/bounce.hpp"

#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include "storage/posix_file.hpp"

namespace CUBIND_NAMESPACE::detail::io {

Bounce::Bounce(ContextRef context, std::size_t chunk_size, std::size_t chunk_count)
    : context_(context), chunk_size_(chunk_size), stream_(context), begin_(context), chunks_(chunk_count) {}

Chunk& Bounce::chunk(std::size_t index) {
    Chunk& found = chunks_[index % chunks_.size()];
    if (found.data != nullptr) return found;
    Chunk made;
    made.memory =
        LegacyPinnedMemoryResource().allocate(stream_, chunk_size_ + 2 * page);  // drivers may align it to less than a page
    made.copied = Event(context_);
    made.stored = Event(context_);
    made.data = reinterpret_cast<std::byte*>((made.memory.native_handle() + page - 1) / page * page);
    found = std::move(made);
    return found;
}

std::unique_ptr<Bounce> BouncePool::take(ContextRef context) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(idle_, [&](const auto& each) { return each->context() == context; });
        if (found != idle_.end()) {
            std::unique_ptr<Bounce> taken = std::move(*found);
            idle_.erase(found);
            return taken;
        }
    }
    return std::make_unique<Bounce>(context, chunk_size_, chunk_count_);
}

void BouncePool::put(std::unique_ptr<Bounce>& bounce) noexcept {
    const std::lock_guard lock(mutex_);
    try {
        idle_.reserve(idle_.size() + 1);
    } catch (const std::bad_alloc&) {
        return;
    }
    idle_.push_back(std::move(bounce));
}

}  // namespace CUBIND_NAMESPACE::detail::io
