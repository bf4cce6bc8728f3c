// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/stream/stream.hpp>

#include <optional>
#include <span>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
struct ManagedMemoryAccess;
}

/// A view of managed memory, or of a part of it. It migrates the memory and gives the driver advice on its use. It does not own
/// the memory, which must outlive the view. Any thread may use it. Advice takes effect at once and on whole pages. The getters
/// return the value that all pages have in common.
///
///     ManagedMemory memory(buffer);
///     memory.set_read_mostly(true);
///     memory.prefetch(stream, device);
///
/// All functions throw std::invalid_argument for memory that is not managed. If a device has no concurrent managed
/// access (DeviceProperties), drivers reject prefetching to it and advice about it.
class CUBIND_EXPORT ManagedMemory {
public:
    /// Creates a view of the memory of a buffer, which must outlive the view.
    explicit ManagedMemory(const Buffer& buffer);
    /// Creates a view of the memory of a buffer, which must outlive the view.
    template <class Element>
    explicit ManagedMemory(const TypedBuffer<Element>& buffer) : ManagedMemory(buffer.bytes()) {}
    /// Creates a view of a part of managed memory.
    template <class Element, std::size_t extent>
    explicit ManagedMemory(std::span<Element, extent> elements) noexcept
        : memory_(detail::OperandOf<decltype(elements)>::view(elements)) {}

    // ---- location --------------------------------------------------------------------------------------------------------

    /// Migrates the memory to the location, in stream order (cuMemPrefetchAsync).
    void prefetch(StreamRef stream, MemoryLocation location) const;
    /// Discards the contents, in stream order (cuMemDiscardBatchAsync, CUDA 13.0). They are undefined until they are
    /// written again, and are not migrated.
    void discard(StreamRef stream) const;
    /// Discards the contents and migrates the memory (cuMemDiscardAndPrefetchBatchAsync, CUDA 13.0).
    void discard_prefetch(StreamRef stream, MemoryLocation location) const;
    /// Returns the location of the last prefetch. Returns std::nullopt if there was none, or if parts of the memory have
    /// different locations (cuMemRangeGetAttribute).
    [[nodiscard]] std::optional<MemoryLocation> last_prefetch_location() const;

    // ---- advice ----------------------------------------------------------------------------------------------------------

    /// Returns whether set_read_mostly(true) is in effect (cuMemRangeGetAttribute).
    [[nodiscard]] bool read_mostly() const;
    /// Advises that the memory is mostly read: each processor that reads it then receives a copy (cuMemAdvise).
    void set_read_mostly(bool value) const;

    /// Returns the preferred location, at which the driver leaves the memory if it can. Returns std::nullopt if none is set
    /// (cuMemRangeGetAttribute).
    [[nodiscard]] std::optional<MemoryLocation> preferred_location() const;
    /// Sets the preferred location; std::nullopt withdraws the advice (cuMemAdvise).
    void set_preferred_location(std::optional<MemoryLocation> location) const;

    /// Returns the locations that have the memory mapped, and access it without migration (cuMemRangeGetAttribute).
    [[nodiscard]] std::vector<MemoryLocation> accessed_by() const;
    /// Advises the driver to map the memory at the location, which then accesses it without migration (cuMemAdvise).
    void add_accessed_by(MemoryLocation location) const;
    /// Withdraws the advice of add_accessed_by() (cuMemAdvise).
    void remove_accessed_by(MemoryLocation location) const;
    /// Advises the driver to map the memory at exactly these locations (cuMemAdvise). If it throws, a part of the advice may be
    /// in effect.
    void set_accessed_by(const std::vector<MemoryLocation>& locations) const;

private:
    friend struct detail::ManagedMemoryAccess;

    detail::MemoryView memory_;
};

/// Migrates managed memory, a Buffer, a TypedBuffer or a std::span, to the location in stream order:
/// ManagedMemory(memory).prefetch(stream, location). If a GraphBuilder captures the call, its graph retains the buffer.
template <class Memory>
void prefetch(StreamRef stream, const Memory& memory, MemoryLocation location) {
    ManagedMemory(memory).prefetch(stream, location);
}

// Each of the functions below throws std::invalid_argument, before it calls the driver, if the numbers of locations and pieces
// differ. If a piece is not managed memory, the message names its index. The driver calls for batches reject the legacy default
// stream. Pieces of 0 bytes are ignored.

/// Migrates many pieces of managed memory to the location, in stream order (cuMemPrefetchBatchAsync). With drivers older than
/// CUDA 13.0, and in the legacy default stream, makes one call for each piece (cuMemPrefetchAsync).
///
///     prefetch_batch(stream, {ManagedMemory(weights), ManagedMemory(activations)}, device);
CUBIND_EXPORT void prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces, MemoryLocation location);
/// Migrates each piece to its own location.
CUBIND_EXPORT void prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces,
                                  const std::vector<MemoryLocation>& locations);

/// Discards the contents of many pieces, in stream order, like ManagedMemory::discard() (cuMemDiscardBatchAsync). Throws Error,
/// which names the release, with drivers older than CUDA 13.0, and std::invalid_argument for the legacy default stream.
CUBIND_EXPORT void discard_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces);

/// Discards the contents of many pieces and migrates them to the location (cuMemDiscardAndPrefetchBatchAsync). Throws like
/// discard_batch().
CUBIND_EXPORT void discard_prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces, MemoryLocation location);
/// Discards the contents of each piece and migrates it to its own location.
CUBIND_EXPORT void discard_prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces,
                                          const std::vector<MemoryLocation>& locations);

}  // namespace CUBIND_NAMESPACE
