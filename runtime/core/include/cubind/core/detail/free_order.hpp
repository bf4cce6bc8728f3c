// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/memory_resource.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>

namespace cubind::detail {

/// After which work memory goes back: all that is needed for it, so that any thread can do it, whatever context is current. It keeps an
/// owned stream until then.
class FreeOrder {
public:
    /// No order; for memory that does not go back.
    FreeOrder() noexcept = default;

    /// After what the stream is given until then. A default stream stands for that of the present context, and the one of a thread
    /// for that of this thread. Throws std::invalid_argument for a stream that was moved from or closed.
    explicit FreeOrder(StreamRef stream) : stream_(stream.native_handle()), owned_(StreamAccess::state(stream)) {
        if (owned_.get() == nullptr) note_what_default_stream(stream);
    }

    /// The memory was allocated within a capture of the stream, if there is one: it goes back while that goes on, and else stays with
    /// the graph.
    void stay_in_capture();
    bool is_of_capture() const noexcept { return capture_ != 0; }

    /// Gives memory back to its resource.
    void deallocate(MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size) const {
        if (owned_.get() == nullptr || is_of_capture()) return deallocate_elsewhere(resource, pointer, size);
        resource.deallocate(StreamAccess::view(owned_.get()), pointer, size);
    }

private:
    void note_what_default_stream(StreamRef stream);
    void deallocate_elsewhere(MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size) const;
    StreamRef stream() const noexcept;
    bool is_capture_over() const;

    driver::CUstream stream_ = nullptr;
    StreamUser owned_;                      // of no stream where it is not owned
    driver::CUcontext context_ = nullptr;   // of a default stream
    unsigned long long thread_ = 0;         // of a thread's default stream
    unsigned long long capture_ = 0;
};

}  // namespace cubind::detail
