// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

class Buffer;
class Device;
template <class Element>
class TypedBuffer;

/// The interface of a memory resource. Derive from it to supply buffers with memory from another source.
///
///     class Arena : public cubind::MemoryResourceBase {
///         driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override;
///         void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override;
///         bool is_device_accessible() const noexcept override { return true; }
///         bool is_host_accessible() const noexcept override { return false; }
///     };
///     MemoryResource arena(std::make_shared<Arena>());
///     Buffer buffer = arena.allocate(stream, 1024);
///
/// Buffers share ownership of their resource, so it outlives them. Any thread may call it. Neither copyable nor movable.
class CUBIND_EXPORT MemoryResourceBase {
public:
    /// The alignment in bytes of every allocation of the driver. It is also used for an allocation that requests no alignment.
    CUBIND_HIDDEN static constexpr std::size_t default_alignment = 256;

    MemoryResourceBase(const MemoryResourceBase&) = delete;
    MemoryResourceBase& operator=(const MemoryResourceBase&) = delete;
    /// Destroys the resource after its last handle and buffer.
    virtual ~MemoryResourceBase() = default;

    /// Returns the address of `size` bytes. `size` is not 0; the address is a multiple of `alignment`, which is a power of two
    /// up to 2^31. Work that is submitted to the stream from now on may use the memory. Throws OutOfMemory or another exception
    /// if there is not enough memory, and std::invalid_argument for an alignment that the resource cannot satisfy.
    [[nodiscard]] virtual driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) = 0;

    /// Frees memory of allocate(), with the same size and alignment, after the work that was submitted to the stream so
    /// far. It may throw: Buffer::close() passes the exception on, and the destructor of a Buffer reports it to the
    /// cleanup handler.
    virtual void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) = 0;

    /// Returns whether devices can access the memory.
    [[nodiscard]] virtual bool is_device_accessible() const noexcept = 0;
    /// Returns whether the host can access the memory.
    [[nodiscard]] virtual bool is_host_accessible() const noexcept = 0;
    /// Returns whether the driver migrates the memory to the processor that uses it.
    [[nodiscard]] virtual bool is_managed() const noexcept { return false; }
    /// Returns whether the memory is that of another process, which this process has mapped.
    [[nodiscard]] virtual bool is_mapped() const noexcept { return false; }
    /// Returns whether a capture records allocations. If so, memory that is allocated during a capture belongs to the graph and
    /// not to the buffer, as for the driver's pools.
    [[nodiscard]] virtual bool is_capturable() const noexcept { return false; }
    /// Returns the device of the memory, or std::nullopt for memory of the host.
    [[nodiscard]] virtual std::optional<Device> device() const noexcept;

protected:
    /// Creates the base of a derived class.
    MemoryResourceBase() = default;
};

namespace detail {

/// The operations of MemoryResource and of the handles that convert to it. Not movable: a handle is never empty.
class CUBIND_EXPORT ResourceHandle {
public:
    /// Allocates `size` bytes at a multiple of `alignment`, a power of two, for work that is submitted to the stream from now
    /// on. The bytes are freed in stream order, too. A buffer of 0 bytes has no memory. Throws OutOfMemory if there is not
    /// enough memory, and std::invalid_argument for an alignment that is no power of two or that the resource cannot satisfy,
    /// and for a stream that was moved from or closed.
    [[nodiscard]] Buffer allocate(StreamRef stream, std::size_t size,
                                  std::size_t alignment = MemoryResourceBase::default_alignment) const;

    /// Allocates `count` elements; defined in <cubind/core/memory/typed_buffer.hpp>.
    template <class Element>
    [[nodiscard]] TypedBuffer<Element> allocate(StreamRef stream, std::size_t count) const;
    /// Deleted: the stream is the first argument. Compilers show the line of the deleted function, with its comment.
    template <class... Elements, class Last>
    requires std::is_base_of_v<StreamRef, Last>
    void allocate(std::size_t, const Last&) const = delete;  // write allocate(stream, size)

    /// Returns whether devices can access the memory.
    [[nodiscard]] bool is_device_accessible() const noexcept { return base_->is_device_accessible(); }
    /// Returns whether the host can access the memory.
    [[nodiscard]] bool is_host_accessible() const noexcept { return base_->is_host_accessible(); }
    /// Returns whether the driver migrates the memory to the processor that uses it.
    [[nodiscard]] bool is_managed() const noexcept { return base_->is_managed(); }
    /// Returns whether the memory is that of another process, which this process has mapped.
    [[nodiscard]] bool is_mapped() const noexcept { return base_->is_mapped(); }
    /// Returns the device of the memory, or std::nullopt for memory of the host.
    [[nodiscard]] std::optional<Device> device() const noexcept;

    /// Returns the resource.
    [[nodiscard]] const std::shared_ptr<MemoryResourceBase>& base() const noexcept { return base_; }

    /// Returns whether both are handles of the same resource.
    [[nodiscard]] friend bool operator==(const ResourceHandle& left, const ResourceHandle& right) noexcept {
        return left.base_ == right.base_;
    }

protected:
    /// Throws std::invalid_argument for nullptr.
    explicit ResourceHandle(std::shared_ptr<MemoryResourceBase> base);
    ResourceHandle(const ResourceHandle&) = default;
    ResourceHandle& operator=(const ResourceHandle&) = default;
    ~ResourceHandle() = default;

private:
    friend class cubind::Device;

    /// Implements allocate() for `resource`, which `base` owns. If `Resource` is a final class, its functions are called
    /// directly instead of virtually.
    template <class Resource>
    static Buffer allocate_from(Resource& resource, const std::shared_ptr<MemoryResourceBase>& base, StreamRef stream,
                                std::size_t size, std::size_t alignment);

    std::shared_ptr<MemoryResourceBase> base_;
};

}  // namespace detail

/// A handle of any memory resource. Copies are cheap and refer to the same resource, which lives as long as any handle
/// and any buffer of it. Every other resource class, such as DeviceMemoryResource, converts to it. Any thread may use
/// it.
class CUBIND_EXPORT MemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a handle of a user-defined resource. Throws std::invalid_argument for nullptr.
    explicit MemoryResource(std::shared_ptr<MemoryResourceBase> base) : ResourceHandle(std::move(base)) {}

    /// Creates a handle of the resource that the other handle refers to.
    MemoryResource(const detail::ResourceHandle& other) : ResourceHandle(other) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::MemoryResource> {
    [[nodiscard]] std::size_t operator()(const cubind::MemoryResource& resource) const noexcept {
        return std::hash<std::shared_ptr<cubind::MemoryResourceBase>>()(resource.base());
    }
};
