// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/host_allocator.hpp>

#include <cstddef>
#include <memory>
#include <memory_resource>

/// @file
/// Polymorphic memory resources. <cubind/core.hpp> does not include this header, because it takes long to compile.
namespace CUBIND_NAMESPACE {

/// A std::pmr::memory_resource of memory that the host and devices access, for std::pmr containers and as the upstream of
/// std::pmr pools. Its memory is that of a HostAllocator: the host may use it at once, and it is freed in the order of the
/// stream. Any thread may use it. It must outlive its containers. Neither copyable nor movable.
///
///     PmrMemoryResource pinned(LegacyPinnedMemoryResource(), stream);
///     std::pmr::vector<float> values(1000, &pinned);
///     copy(stream, buffer, values);
///
/// allocate() throws OutOfMemory, which is not a std::bad_alloc, if there is not enough memory. The alignment can be any power of
/// two up to 2^31; more than 256 bytes take additional memory. A failure of deallocate() is reported to the cleanup handler. A
/// resource is equal to another PmrMemoryResource with the same resource and the same stream.
///
/// A std::pmr pool that allocates from this resource uses freed memory again at once, and not in the order of the stream. Destroy
/// its containers only after the work that uses them has completed.
class CUBIND_EXPORT PmrMemoryResource final : public std::pmr::memory_resource {
public:
    /// Creates a resource in pinned memory, which works with every driver; see LegacyPinnedMemoryResource.
    explicit PmrMemoryResource(StreamRef stream);
    /// Creates a resource that allocates from `resource`. Creates a stream in the context of `stream`, which allocates. Throws
    /// std::invalid_argument if the host cannot access memory of `resource`.
    PmrMemoryResource(const MemoryResource& resource, StreamRef stream);
    PmrMemoryResource(const PmrMemoryResource&) = delete;
    PmrMemoryResource& operator=(const PmrMemoryResource&) = delete;
    /// Ends the resource, which must have no memory in use.
    ~PmrMemoryResource() override;

private:
    void* do_allocate(std::size_t size, std::size_t alignment) override;
    void do_deallocate(void* pointer, std::size_t size, std::size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;

    std::shared_ptr<detail::HostMemory> memory_;
};

}  // namespace CUBIND_NAMESPACE
