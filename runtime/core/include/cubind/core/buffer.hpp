// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/copy.hpp>
#include <cubind/core/detail/free_order.hpp>
#include <cubind/core/detail/owner.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/fill.hpp>
#include <cubind/core/memory_resource.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace cubind {

class Buffer;

namespace detail {

class SharedMemory;

/// Lets others keep the buffer's memory: it goes back after the buffer's end and that of all that this returned. Where the buffer
/// has none that could go back, what keeps it alive, or nullptr. Any thread may call it on one buffer.
std::shared_ptr<const void> share(const Buffer& buffer);

/// Has the captured work of the stream, if it is a GraphBuilder's, keep the buffer's memory.
void keep_for_capture(StreamRef stream, const Buffer& buffer);

[[noreturn]] void throw_no_elements(driver::CUdeviceptr pointer, std::size_t size, std::size_t element_size, std::size_t alignment);
[[noreturn]] void throw_too_many_elements(std::size_t count, std::size_t element_size);

template <class Element>
constexpr void check_element() {
    static_assert(std::is_trivially_copyable_v<Element>, "memory holds bytes: only trivially copyable elements can lie in it");
}

/// What so many elements take, in bytes.
template <class Element>
std::size_t size_of(std::size_t count) {
    check_element<Element>();
    if (count > ~std::size_t{0} / sizeof(Element)) [[unlikely]] throw_too_many_elements(count, sizeof(Element));
    return count * sizeof(Element);
}

}  // namespace detail

/// Bytes of memory, of a device or of the host, that the object owns, and which go back where they came from in stream order: after all
/// work that was submitted until then to the stream that they were allocated on, or to that of set_deallocation_stream(). The object
/// may end on any thread and whatever context is current; it keeps a Stream that it needs. A stream that was made elsewhere has to live
/// as long; a buffer on the default stream of a thread that has ended, or which ends on another thread, goes back after the work of
/// all threads' default streams.
///
///     Buffer buffer = device.allocate<float>(stream, n);   // n elements; allocate(stream, size): bytes
///     copy(stream, buffer, values);                    // values: any contiguous range
///     launch(stream, config, kernel, buffer, n);
///     std::span<float> elements = buffer.span<float>();   // of device addresses
///
/// Memory that is allocated from a pool within a capture belongs to the graph: the end of the Buffer frees it there while the capture
/// goes on, and does nothing after that; close(stream) and set_deallocation_stream() free it nevertheless, which is right after
/// a launch of the graph. Other buffers that captured work uses live until the graph's end.
///
/// Several threads may use it as a constant. A buffer that was moved from, closed or released refuses every use with
/// std::invalid_argument; one of no bytes has no memory and is good for nothing to be done.
class Buffer {
public:
    /// Memory that the resource handed out elsewhere, and which goes back to it in the order of the stream.
    static Buffer from_native_handle(driver::CUdeviceptr pointer, std::size_t size, const MemoryResource& resource, StreamRef stream);

    /// Memory that somebody else frees, who is kept until the buffer's end.
    static Buffer from_native_handle(driver::CUdeviceptr pointer, std::size_t size, std::shared_ptr<const void> owner);

    /// A mere view of memory that somebody else frees.
    static Buffer from_native_handle(driver::CUdeviceptr pointer, std::size_t size);

    Buffer(Buffer&& other) noexcept
        : pointer_(other.pointer_),
          size_(other.size_),
          resource_(std::exchange(other.resource_, nullptr)),
          owner_(std::move(other.owner_)),
          order_(std::move(other.order_)),
          shared_(other.take_shared()),
          is_open_(std::exchange(other.is_open_, false)) {}
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (resource_ != nullptr) end();
    }

    // ---- what it is ------------------------------------------------------------------------------------------------------

    /// The address; 0 where there are no bytes.
    driver::CUdeviceptr native_handle() const { return check_open(), pointer_; }

    /// In bytes.
    std::size_t size() const { return check_open(), size_; }

    /// How many elements there are. Throws std::invalid_argument where the bytes are not a multiple of the element's size, or the address
    /// not one of its alignment.
    template <class Element>
    std::size_t count() const {
        check_open();
        if (size_ % sizeof(Element) != 0 || pointer_ % alignof(Element) != 0) [[unlikely]] {
            detail::throw_no_elements(pointer_, size_, sizeof(Element), alignof(Element));
        }
        return size_ / sizeof(Element);
    }

    /// The elements by their addresses, for kernels and copies; the host may read and write them if is_host_accessible(). Throws like
    /// count().
    template <class Element>
    std::span<Element> span() const {
        detail::check_element<Element>();
        const std::size_t elements = count<Element>();
        return {reinterpret_cast<Element*>(pointer_), elements};
    }

    /// Where the memory goes back; nothing for memory that somebody else frees.
    std::optional<MemoryResource> memory_resource() const;

    /// Who is kept until the buffer's end, where the memory is somebody else's.
    std::shared_ptr<const void> owner() const;

    /// The device that the memory lies on; nothing for memory of the host or of no fixed place. For a view the driver is asked
    /// (cuPointerGetAttributes).
    std::optional<Device> device() const;
    bool is_device_accessible() const;
    bool is_host_accessible() const;
    /// Whether the driver moves it to where it is used.
    bool is_managed() const;

    // ---- contents --------------------------------------------------------------------------------------------------------

    /// copy(stream, *this, source)
    template <class Source>
    void copy_from(StreamRef stream, Source&& source) {
        copy(stream, *this, std::forward<Source>(source));
    }
    /// copy(stream, destination, *this)
    template <class Destination>
    void copy_to(StreamRef stream, Destination&& destination) const {
        copy(stream, std::forward<Destination>(destination), *this);
    }
    /// fill(stream, *this, value)
    template <class Value>
    void fill(StreamRef stream, Value value) {
        cubind::fill(stream, *this, value);
    }

    // ---- its end ---------------------------------------------------------------------------------------------------------

    /// The memory will go back in the order of this stream rather than that of the recorded one: after work on it that this stream was
    /// given or made to wait for.
    void set_deallocation_stream(StreamRef stream);

    /// Gives the memory back now, in stream order, and throws where the destructor could only report; then it is still owned. Memory
    /// that captured work needs goes back after that. Closing again does nothing.
    void close();
    /// The same in the order of this stream.
    void close(StreamRef stream);

    /// Gives up ownership: the caller sees to the memory, also to what captured work needs. The buffer is as if closed.
    driver::CUdeviceptr release() noexcept;

    bool is_closed() const noexcept { return !is_open_; }

private:
    friend class MemoryResource;
    friend std::shared_ptr<const void> detail::share(const Buffer& buffer);

    Buffer(driver::CUdeviceptr pointer, std::size_t size, MemoryResourceBase* resource, std::shared_ptr<const void> owner,
           detail::FreeOrder order) noexcept
        : pointer_(pointer), size_(size), resource_(resource), owner_(std::move(owner)), order_(std::move(order)) {}

    void check_open() const {
        if (!is_open_) [[unlikely]] detail::throw_moved_from("Buffer");
    }
    detail::SharedMemory* take_shared() noexcept { return std::exchange(shared_, nullptr); }
    void end() noexcept;
    void forget() noexcept;

    driver::CUdeviceptr pointer_;
    std::size_t size_;
    MemoryResourceBase* resource_;       // where memory goes back; nullptr: nowhere
    std::shared_ptr<const void> owner_;  // the resource, or who else is kept
    detail::FreeOrder order_;
    mutable detail::SharedMemory* shared_ = nullptr;  // who frees instead, once others keep the memory; share() sets it atomically
    bool is_open_ = true;
};

// ---- by elements ---------------------------------------------------------------------------------------------------------

template <class Element>
Buffer MemoryResource::allocate(StreamRef stream, std::size_t count) const {
    return allocate(stream, detail::size_of<Element>(count));
}

template <class Element>
Buffer Device::allocate(StreamRef stream, std::size_t count) const {
    return allocate(stream, detail::size_of<Element>(count));
}

}  // namespace cubind
