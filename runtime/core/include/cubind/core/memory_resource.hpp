// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace cubind {

class Buffer;
class Device;

/// Where memory comes from: derive from it to give buffers memory of your own.
///
///     class Arena : public cubind::MemoryResourceBase {
///         driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override;
///         void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size) override;
///         bool is_device_accessible() const noexcept override { return true; }
///         bool is_host_accessible() const noexcept override { return false; }
///     };
///     MemoryResource arena(std::make_shared<Arena>());
///     Buffer buffer = arena.allocate(stream, 1024);
///
/// Buffers share it, so it lives at least as long as they do. Any thread may call it.
class MemoryResourceBase {
public:
    virtual ~MemoryResourceBase() = default;

    /// Memory of `size` bytes, more than 0, that work of the stream may use which is submitted from now on. Throws where there is none.
    virtual driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) = 0;

    /// Takes back what allocate() gave, once the work is done that the stream was given up to now. May throw: Buffer::close() passes it on,
    /// and the destructor of a Buffer tells the cleanup handler.
    virtual void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size) = 0;

    virtual bool is_device_accessible() const noexcept = 0;
    virtual bool is_host_accessible() const noexcept = 0;
    /// Whether the driver moves it to where it is used.
    virtual bool is_managed() const noexcept { return false; }
    /// Whether memory that is allocated within a capture is the graph's, as that of the driver's pools is, and not the buffer's.
    virtual bool joins_captures() const noexcept { return false; }
    /// The device that it lies on, or nothing for memory of the host.
    virtual std::optional<Device> device() const noexcept;
};

/// A handle of a memory resource: copies are cheap and mean the same resource, which lives as long as any of them and any buffer from it.
class MemoryResource {
public:
    /// Throws std::invalid_argument for nullptr.
    explicit MemoryResource(std::shared_ptr<MemoryResourceBase> base);

    // There is no moving, so that none is ever without its resource.
    MemoryResource(const MemoryResource&) = default;
    MemoryResource& operator=(const MemoryResource&) = default;

    /// `size` bytes for work that is submitted to the stream from now on; they go back in stream order, too. No bytes: a buffer without
    /// memory. Throws OutOfMemory where there are not so many, std::invalid_argument for a stream that was moved from or closed.
    Buffer allocate(StreamRef stream, std::size_t size) const;
    /// Room for `count` elements; in <cubind/core/buffer.hpp>.
    template <class Element>
    Buffer allocate(StreamRef stream, std::size_t count) const;

    bool is_device_accessible() const noexcept { return base_->is_device_accessible(); }
    bool is_host_accessible() const noexcept { return base_->is_host_accessible(); }
    bool is_managed() const noexcept { return base_->is_managed(); }
    std::optional<Device> device() const noexcept;

    const std::shared_ptr<MemoryResourceBase>& base() const noexcept { return base_; }

    friend bool operator==(const MemoryResource& left, const MemoryResource& right) noexcept { return left.base_ == right.base_; }

private:
    std::shared_ptr<MemoryResourceBase> base_;
};

}  // namespace cubind
