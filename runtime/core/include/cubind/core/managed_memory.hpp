// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/memory_operand.hpp>
#include <cubind/core/memory_location.hpp>
#include <cubind/core/stream.hpp>

#include <optional>
#include <span>
#include <vector>

namespace cubind {

/// A view of managed memory, or of a part of it, through which it is moved and advice on its use is given. It owns nothing: the memory
/// has to live. Any thread may use it. Advice acts at once and on whole pages; the getters tell what all pages have in common.
///
///     ManagedMemory memory(buffer);
///     memory.set_read_mostly(true);
///     memory.prefetch(stream, device);
///
/// Everything here throws std::invalid_argument for memory that is not managed. Where there is no concurrent managed access
/// (DeviceProperties), drivers refuse prefetching to, and advice about, the device.
class ManagedMemory {
public:
    /// A view of the memory of a buffer, which must outlive the view.
    explicit ManagedMemory(const Buffer& buffer);
    template <class Element>
    explicit ManagedMemory(const TypedBuffer<Element>& buffer) : ManagedMemory(buffer.bytes()) {}
    /// A view of a part of managed memory.
    template <class Element, std::size_t extent>
    explicit ManagedMemory(std::span<Element, extent> elements) noexcept : memory_(detail::OperandOf<decltype(elements)>::view(elements)) {}

    // ---- where it lies ---------------------------------------------------------------------------------------------------

    /// Moves it there, in stream order (cuMemPrefetchAsync).
    void prefetch(StreamRef stream, MemoryLocation location) const;
    /// Forgets what it holds, in stream order: it may be anything until it is written again, and need not be moved (cuMemDiscardBatchAsync,
    /// CUDA 13.0).
    void discard(StreamRef stream) const;
    /// Both: it lies there, and holds anything (cuMemDiscardAndPrefetchBatchAsync, CUDA 13.0).
    void discard_prefetch(StreamRef stream, MemoryLocation location) const;
    /// Where it was last moved by prefetching; nothing: nowhere, or parts of it elsewhere than others.
    std::optional<MemoryLocation> last_prefetch_location() const;

    // ---- advice ----------------------------------------------------------------------------------------------------------

    /// Whether it is mostly read: whoever reads it then gets a copy (cuMemAdvise).
    bool read_mostly() const;
    void set_read_mostly(bool value) const;

    /// Where it stays if it can; nothing: nowhere in particular, and the advice is taken back.
    std::optional<MemoryLocation> preferred_location() const;
    void set_preferred_location(std::optional<MemoryLocation> location) const;

    /// Who keeps it mapped, so that it can be reached without moving.
    std::vector<MemoryLocation> accessed_by() const;
    void add_accessed_by(MemoryLocation location) const;
    void remove_accessed_by(MemoryLocation location) const;
    /// Exactly these. If it throws, part of the advice may have been taken.
    void set_accessed_by(const std::vector<MemoryLocation>& locations) const;

private:
    detail::MemoryView memory_;
};

/// ManagedMemory(memory).prefetch(stream, location), for a Buffer or a std::span; a graph builder's work keeps the Buffer.
template <class Memory>
void prefetch(StreamRef stream, const Memory& memory, MemoryLocation location) {
    ManagedMemory(memory).prefetch(stream, location);
}

}  // namespace cubind
