// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>

namespace CUBIND_NAMESPACE::detail {

/// The stream order in which memory is freed. It stores all data that are needed to free the memory on any thread and with any
/// current context. It retains the stream if cubind owns it.
class CUBIND_EXPORT FreeOrder {
public:
    /// Creates an empty object, for memory that is not freed.
    FreeOrder() noexcept = default;

    /// Creates the order of the stream: the free runs after all work that was submitted to the stream before the free. A
    /// default stream means the legacy default stream of the current context, or the per-thread default stream of the calling
    /// thread. Throws std::invalid_argument for a stream that was moved from or closed.
    explicit FreeOrder(StreamRef stream) : stream_(StreamAccess::handle(stream)), owned_(StreamAccess::state(stream)) {
        if (owned_.get() == nullptr) note_default_stream(stream);
    }

    /// If the stream is being captured, by cubind or by other code, marks the memory as allocated by that capture. The memory
    /// is then freed only while the capture is active; afterwards it belongs to the graph.
    void bind_to_capture();
    bool is_bound_to_capture() const noexcept { return capture_ != 0; }

    /// Frees the memory (MemoryResourceBase::deallocate).
    void deallocate(MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) const {
        if (owned_.get() == nullptr || is_bound_to_capture() || owned_.get()->may_have_ended())
            return deallocate_with_checks(resource, pointer, size, alignment);
        resource.deallocate(StreamAccess::view(owned_.get()), pointer, size, alignment);
    }

private:
    void note_default_stream(StreamRef stream);
    void deallocate_with_checks(MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size,
                                std::size_t alignment) const;
    StreamRef stream() const noexcept;
    bool has_capture_ended() const;
    bool has_stream_ended() const;
    void enter_context(std::optional<ScopedContext>& scope) const;

    driver::CUstream stream_ = nullptr;
    StreamUser owned_;                     // empty for a stream that cubind does not own
    driver::CUcontext context_ = nullptr;  // context of a default stream, else nullptr
    unsigned long long thread_ = 0;        // thread of a per-thread default stream, else 0
    unsigned long long capture_ = 0;       // capture that allocated the memory, else 0
    bool is_builders_capture_ = false;     // whether a GraphBuilder captures
};

}  // namespace CUBIND_NAMESPACE::detail
