// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/stream/stream.hpp>

#include <cstddef>
#include <optional>

#include "plan/call_order.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// The temporary memory of a plan on a device. It is allocated by its first use, and freed in the order of the stream that used
/// it last, so that a plan can be destroyed while its work runs. Not thread-safe.
class CUBIND_EXPORT Workspace {
public:
    Workspace(const Device& device, std::optional<MemoryResource> resource) : device_(device), resource_(std::move(resource)) {}

    /// The memory for the work that one call submits; it must exist until the work is submitted.
    class CUBIND_EXPORT Use {
    public:
        /// Returns the address, which is a multiple of 256, or null for 0 bytes.
        [[nodiscard]] void* data() const noexcept { return data_; }

    private:
        friend class Workspace;
        void* data_ = nullptr;
        Buffer captured_;  // freed in the capture, at the end of the call
    };

    /// Returns memory for work of this stream. If another stream used the memory last, this stream waits for it, or gets other
    /// memory while that one is captured, because a wait would join the capture. While the stream itself is captured, the graph
    /// allocates and frees memory of its own, so that it depends neither on the plan nor on other work.
    [[nodiscard]] Use use(StreamRef stream, std::size_t size);

    /// Returns memory whose contents calls share, such as factors of a matrix: the same address for each call with this size. If
    /// another stream used it last, this stream waits for it. Captured work uses the same memory, and does not wait: a graph has
    /// to be launched after the work that made the contents. The first call must not be captured. Throws std::invalid_argument,
    /// which names the operation, if the stream that used it last is captured now.
    [[nodiscard]] void* keep(const char* operation, StreamRef stream, std::size_t size);

    /// Allocates memory of the resource in stream order, which the caller owns.
    [[nodiscard]] Buffer allocate(StreamRef stream, std::size_t size) const;

private:
    void* acquire(const char* operation, StreamRef stream, std::size_t size);
    void renew(StreamRef stream, std::size_t size);

    Device device_;
    std::optional<MemoryResource> resource_;
    Buffer buffer_;
    std::size_t size_ = 0;
    CallOrder order_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
