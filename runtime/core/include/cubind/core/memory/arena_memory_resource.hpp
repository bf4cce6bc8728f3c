// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>

#include <cstddef>
#include <memory>

namespace CUBIND_NAMESPACE {

namespace detail {
class Arena;
}

/// Memory of a fixed size from which allocations are cut one after another, each at the next free address. Captured graphs that
/// allocate from it share the memory and keep its addresses from one capture to the next:
///
///     ArenaMemoryResource arena(device.memory_resource(), stream, std::size_t{64} << 20);
///     builder.begin_building();
///     Buffer scratch = arena.allocate(builder, size);    // no node of the graph: the memory is there already
///     ...
///     Graph first = builder.complete();
///     arena.rewind();                                    // the next capture uses the same addresses
///
/// Freeing an allocation returns no memory: only rewind() does, for all later allocations at once. The memory is returned to the
/// upstream resource, in the order of the stream of the constructor, once the resource, all its buffers and all graphs that
/// retain one are destroyed. So graphs remain valid after rewind(), but work that uses the same part of the arena must not run at
/// the same time: launch the graphs in one stream, or let one wait for the other.
///
/// All copies are handles of the same arena. Any thread may use it.
class CUBIND_EXPORT ArenaMemoryResource final : public detail::ResourceHandle {
public:
    /// Allocates `size` bytes from `upstream` for work that is submitted to the stream from now on; work in other streams must
    /// wait for it. Throws what the upstream throws, and std::invalid_argument for a size of 0.
    ArenaMemoryResource(const MemoryResource& upstream, StreamRef stream, std::size_t size);

    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Returns the bytes that are allocated, with those between allocations that their alignments require.
    [[nodiscard]] std::size_t used() const noexcept;
    /// Returns the maximum of used() since the resource was created: the size that would have been enough.
    [[nodiscard]] std::size_t peak() const noexcept;

    /// Makes the bytes from `position` on free again, a value that used() returned. Buffers that were allocated there remain
    /// addresses of the same memory. Throws std::invalid_argument for a position beyond used().
    void rewind(std::size_t position = 0) const;

private:
    explicit ArenaMemoryResource(std::shared_ptr<detail::Arena> arena);
    std::shared_ptr<detail::Arena> arena_;
};

}  // namespace CUBIND_NAMESPACE
