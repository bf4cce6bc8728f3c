// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/stream/stream.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

namespace CUBIND_NAMESPACE {

namespace detail {

/// The memory of containers: a resource, and the stream in whose order the memory is freed.
class HostMemory;

/// Throws std::invalid_argument if the host cannot access memory of the resource.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<HostMemory> make_host_memory(const MemoryResource& resource, StreamRef stream);
/// Creates the memory of a LegacyPinnedMemoryResource.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<HostMemory> make_host_memory(StreamRef stream);
/// Returns memory that the host may use at once.
[[nodiscard]] CUBIND_EXPORT void* allocate(HostMemory& memory, std::size_t size, std::size_t alignment);
/// Throws std::bad_array_new_length.
[[noreturn]] CUBIND_EXPORT void throw_bad_array_length();
/// Reports a failure to the cleanup handler.
CUBIND_EXPORT void deallocate(HostMemory& memory, void* pointer, std::size_t size, std::size_t alignment) noexcept;
/// Returns whether both have the same resource and the same stream.
[[nodiscard]] CUBIND_EXPORT bool is_equal(const HostMemory& left, const HostMemory& right) noexcept;

}  // namespace detail

/// An allocator for standard containers whose elements the host and devices access: memory of a LegacyPinnedMemoryResource, a
/// PinnedMemoryResource, a ManagedMemoryResource or a resource of the program. Copies of the container to and from a device need
/// no staging.
///
///     std::vector<float, HostAllocator<float>> values(1000, HostAllocator<float>(stream));    // pinned memory
///     copy(stream, buffer, values);
///
/// The host may use the memory as soon as allocate() returns. Memory is freed in the order of the stream, as that of a Buffer:
/// work that was submitted to the stream before still uses it, even if the container has grown or is destroyed. The work of
/// another stream must be complete, or the stream must wait for it. A resource without a pool waits for the stream at each free.
/// A container must not grow while work writes to its elements, because it moves them on the host.
///
/// Allocators are equal if they have the same resource and the same stream. The allocator moves and is swapped with its
/// container. It retains the resource, and the stream if cubind owns it. Copies may be used by several threads at once.
template <class Type>
class HostAllocator {
public:
    using value_type = Type;                                        ///< the type of the elements
    using propagate_on_container_move_assignment = std::true_type;  ///< a moved container takes the allocator with it
    using propagate_on_container_swap = std::true_type;             ///< swapped containers swap their allocators
    using is_always_equal = std::false_type;                        ///< allocators of two streams differ

    /// Creates an allocator of pinned memory, which works with every driver; see LegacyPinnedMemoryResource.
    explicit HostAllocator(StreamRef stream) : memory_(detail::make_host_memory(stream)) {}
    /// Creates an allocator of memory of the resource. Creates a stream in the context of `stream`, which allocates, so that no
    /// allocation waits for the work of `stream`. Throws std::invalid_argument if the host cannot access memory of the resource.
    HostAllocator(const MemoryResource& resource, StreamRef stream) : memory_(detail::make_host_memory(resource, stream)) {}
    /// Creates an allocator of other elements in the same memory.
    template <class Other>
    HostAllocator(const HostAllocator<Other>& other) noexcept : memory_(other.memory_) {}

    /// Allocates `count` elements. Throws OutOfMemory, which is not a std::bad_alloc, if there is not enough memory,
    /// and std::bad_array_new_length for a count whose size is no std::size_t. Alignments of more than 256 bytes take additional
    /// memory.
    [[nodiscard]] Type* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(Type)) detail::throw_bad_array_length();
        return static_cast<Type*>(detail::allocate(*memory_, count * sizeof(Type), alignof(Type)));
    }
    /// Frees memory of allocate(), in the order of the stream. A failure is reported to the cleanup handler.
    void deallocate(Type* pointer, std::size_t count) noexcept {
        detail::deallocate(*memory_, pointer, count * sizeof(Type), alignof(Type));
    }

    /// Returns whether each allocator can free the memory of the other one, in the same order.
    template <class Other>
    [[nodiscard]] friend bool operator==(const HostAllocator& left, const HostAllocator<Other>& right) noexcept {
        return left.is_equal_to(right);
    }

private:
    template <class Other>
    friend class HostAllocator;

    template <class Other>
    bool is_equal_to(const HostAllocator<Other>& other) const noexcept {
        return detail::is_equal(*memory_, *other.memory_);
    }

    std::shared_ptr<detail::HostMemory> memory_;
};

}  // namespace CUBIND_NAMESPACE
