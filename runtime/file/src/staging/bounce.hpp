// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace CUBIND_NAMESPACE::detail::io {

/// A pinned buffer, which a file and a device use in turn.
struct Chunk {
    Buffer memory;
    std::byte* data = nullptr;  ///< a multiple of `page`; holds a page more than the size of a chunk
    Event copied;               ///< the device has read or written it
    Event stored;               ///< the file has been read to it or written from it
};

/// The pinned buffers of one transfer at a time, and a stream beside that of the transfer.
class Bounce {
public:
    Bounce(ContextRef context, std::size_t chunk_size, std::size_t chunk_count);

    [[nodiscard]] ContextRef context() const noexcept { return context_; }
    [[nodiscard]] StreamRef stream() const noexcept { return stream_; }
    [[nodiscard]] EventRef begin() const noexcept { return begin_; }
    [[nodiscard]] std::size_t chunk_size() const noexcept { return chunk_size_; }
    [[nodiscard]] std::size_t chunk_count() const noexcept { return chunks_.size(); }
    /// Returns the chunk that is `index` modulo the number of chunks. The first use allocates it; the context is current.
    Chunk& chunk(std::size_t index);

private:
    ContextRef context_;
    std::size_t chunk_size_;
    Stream stream_;
    Event begin_;
    std::vector<Chunk> chunks_;  // destroyed before the stream, in whose order the memory is freed
};

/// The buffers that no transfer uses.
class BouncePool {
public:
    BouncePool(std::size_t chunk_size, std::size_t chunk_count) noexcept : chunk_size_(chunk_size), chunk_count_(chunk_count) {}

    /// Takes buffers of the context, or creates some.
    [[nodiscard]] std::unique_ptr<Bounce> take(ContextRef context);
    /// Returns buffers that no submitted work uses. Does not call CUDA. If memory is exhausted, `bounce` keeps them.
    void put(std::unique_ptr<Bounce>& bounce) noexcept;

private:
    const std::size_t chunk_size_;
    const std::size_t chunk_count_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Bounce>> idle_;
};

}  // namespace CUBIND_NAMESPACE::detail::io
