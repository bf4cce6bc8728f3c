// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/buffer.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {

[[noreturn]] CUBIND_EXPORT void throw_too_many_elements(std::size_t count, std::size_t element_size);
[[noreturn]] CUBIND_EXPORT void throw_not_in_range(const char* function, std::size_t offset, std::size_t count,
                                                   std::size_t element_count);

/// Copies the memory to the host, and waits for the copy.
CUBIND_EXPORT void read_element(StreamRef stream, const MemoryView& element, void* value);
/// Sets the memory by fills, whose values the driver copies.
CUBIND_EXPORT void write_element(StreamRef stream, const MemoryView& element, const void* value);

/// Returns the size of `count` elements in bytes.
template <class Element>
[[nodiscard]] std::size_t size_of(std::size_t count) {
    if (count > ~std::size_t{0} / sizeof(Element)) [[unlikely]]
        throw_too_many_elements(count, sizeof(Element));
    return count * sizeof(Element);
}

}  // namespace detail

/// An owner of elements of one type in device or host memory: a Buffer whose elements have a type. The rules of Buffer for
/// lifetime, stream order, threads and captures apply.
///
///     TypedBuffer<float> x = device.allocate<float>(stream, n);
///     copy(stream, x, values);                           // std::vector<float>; other elements do not compile
///     saxpy(stream, config, 2.0f, x, y, n);              // a const float* or float* of the KernelFunction
///     copy(stream, std::span(results).first(10), x.first(10));
///
/// It does not convert to a Buffer; bytes() returns its untyped memory.
template <class Element>
class [[nodiscard]] TypedBuffer {
    static_assert(std::is_object_v<Element> && !std::is_const_v<Element> && !std::is_array_v<Element> &&
                      std::is_trivially_copyable_v<Element>,
                  "the elements of a TypedBuffer must be of a trivially copyable type, and neither const nor arrays");

public:
    /// Creates an empty buffer, which is closed.
    TypedBuffer() noexcept = default;

    /// Takes ownership of the bytes. Throws std::invalid_argument if their size is not a multiple of the element's size, or
    /// their address is not a multiple of its alignment; `bytes` then still owns them.
    [[nodiscard]] explicit TypedBuffer(Buffer&& bytes) : bytes_((static_cast<void>(bytes.count<Element>()), std::move(bytes))) {}

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the address, or 0 for a buffer of 0 elements.
    [[nodiscard]] driver::CUdeviceptr native_handle() const { return bytes_.native_handle(); }

    /// Returns the number of elements.
    [[nodiscard]] std::size_t count() const { return bytes_.size() / sizeof(Element); }

    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size_bytes() const { return bytes_.size(); }

    /// Returns the untyped memory, which also has the properties that TypedBuffer does not repeat, such as device().
    [[nodiscard]] const Buffer& bytes() const& noexcept { return bytes_; }
    /// Deleted: a temporary buffer frees its memory before the reference is used.
    const Buffer& bytes() const&& = delete;

    /// Moves the memory to a Buffer: `Buffer bytes = std::move(typed).to_bytes()`. The object is closed afterwards.
    [[nodiscard]] Buffer to_bytes() && { return std::move(bytes_); }

    // ---- elements --------------------------------------------------------------------------------------------------------

    /// Returns the elements by their addresses, for kernels and copies. The host may read and write them if
    /// bytes().is_host_accessible().
    [[nodiscard]] std::span<Element> span() const& { return {pointer(), count()}; }

    /// Returns the first `count` elements. Throws std::invalid_argument if there are fewer.
    [[nodiscard]] std::span<Element> first(std::size_t count) const& { return part("first", 0, count); }
    /// Returns the last `count` elements. Throws std::invalid_argument if there are fewer.
    [[nodiscard]] std::span<Element> last(std::size_t count) const& {
        const std::size_t all = this->count();
        return part("last", count > all ? 0 : all - count, count);
    }

    /// Returns the elements from `offset` on. Throws std::invalid_argument if the offset is larger than the number of
    /// elements.
    [[nodiscard]] std::span<Element> subspan(std::size_t offset) const& {
        const std::size_t all = count();
        return part("subspan", offset, offset > all ? 0 : all - offset);
    }
    /// Returns `count` elements from `offset` on. Throws std::invalid_argument if there are fewer.
    [[nodiscard]] std::span<Element> subspan(std::size_t offset, std::size_t count) const& {
        return part("subspan", offset, count);
    }

    // Deleted: a temporary buffer frees its memory before the span is used.
    std::span<Element> span() const&& = delete;
    std::span<Element> first(std::size_t) const&& = delete;
    std::span<Element> last(std::size_t) const&& = delete;
    std::span<Element> subspan(std::size_t) const&& = delete;
    std::span<Element> subspan(std::size_t, std::size_t) const&& = delete;

    // ---- contents --------------------------------------------------------------------------------------------------------

    /// Copies the source to the beginning of the buffer: copy(stream, *this, source).
    template <class Source>
    void copy_from(StreamRef stream, Source&& source) {
        copy(stream, *this, std::forward<Source>(source));
    }
    /// Copies with options: copy(stream, *this, source, options).
    template <class Source>
    void copy_from(StreamRef stream, Source&& source, const CopyOptions& options) {
        copy(stream, *this, std::forward<Source>(source), options);
    }
    /// Copies the buffer to the beginning of the destination: copy(stream, destination, *this).
    template <class Destination>
    void copy_to(StreamRef stream, Destination&& destination) const {
        copy(stream, std::forward<Destination>(destination), *this);
    }
    /// Copies with options: copy(stream, destination, *this, options).
    template <class Destination>
    void copy_to(StreamRef stream, Destination&& destination, const CopyOptions& options) const {
        copy(stream, std::forward<Destination>(destination), *this, options);
    }
    /// Sets all elements to the value: fill(stream, *this, value).
    void fill(StreamRef stream, Element value) { cubind::fill(stream, *this, value); }
    /// Sets all bytes of the elements to the value.
    void fill(StreamRef stream, std::byte value) requires(!std::is_same_v<Element, std::byte>) {
        cubind::fill(stream, *this, value);
    }

    /// Returns a copy in new memory of the same resource, like Buffer::clone().
    [[nodiscard]] TypedBuffer clone(StreamRef stream) const { return TypedBuffer(bytes_.clone(stream)); }
    /// Moves the elements to new memory for `count` elements, like Buffer::resize(). The values of additional elements are not
    /// defined.
    void resize(StreamRef stream, std::size_t count) { bytes_.resize(stream, detail::size_of<Element>(count)); }

    /// Returns one element after the previous work of the stream, for which it waits (cuMemcpyAsync, cuStreamSynchronize). Throws
    /// std::invalid_argument if there is no such element, and during a capture.
    [[nodiscard]] Element get(StreamRef stream, std::size_t index) const {
        struct {
            alignas(Element) std::byte bytes[sizeof(Element)];
        } element;
        detail::read_element(stream, element_view("get", index), &element);
        return __builtin_bit_cast(Element, element);
    }
    /// Sets one element in stream order, and does not wait. The value becomes a part of the submitted work, so that it may change
    /// after the call, also during a capture. The stream's device must be able to access the memory. Each sequence of equal parts
    /// of 4 bytes is one fill (cuMemsetD32Async; cuMemsetD16Async or cuMemsetD8Async for smaller and less aligned elements): use
    /// copy() for large elements. Throws std::invalid_argument if there is no such element.
    void set(StreamRef stream, std::size_t index, const Element& value) {
        detail::write_element(stream, element_view("set", index), &value);
    }

    // ---- lifetime --------------------------------------------------------------------------------------------------------

    /// Sets the stream in whose order the memory is freed, like Buffer::set_deallocation_stream().
    void set_deallocation_stream(StreamRef stream) { bytes_.set_deallocation_stream(stream); }

    /// Frees the memory in stream order, like Buffer::close().
    void close() { bytes_.close(); }
    /// Frees the memory in the order of this stream, like Buffer::close(stream).
    void close(StreamRef stream) { bytes_.close(stream); }

    /// Gives up ownership and returns the address, or 0 if the buffer is closed, like Buffer::release().
    [[nodiscard]] driver::CUdeviceptr release() noexcept { return bytes_.release(); }

    /// Returns whether the buffer is empty, or was moved from, closed or released.
    [[nodiscard]] bool is_closed() const noexcept { return bytes_.is_closed(); }

    /// Returns the pointer that a kernel receives.
    [[nodiscard]] Element* kernel_argument() const { return pointer(); }

    /// Returns whether both refer to the same elements, or both are closed.
    [[nodiscard]] friend bool operator==(const TypedBuffer& left, const TypedBuffer& right) noexcept {
        return left.bytes_ == right.bytes_;
    }

private:
    friend class Device;
    friend class detail::ResourceHandle;
    friend std::shared_ptr<const void> share(const TypedBuffer& buffer) { return detail::share(buffer.bytes_); }

    template <class Allocator>
    TypedBuffer(const Allocator& from, StreamRef stream, std::size_t count)
        : bytes_(from.allocate(stream, detail::size_of<Element>(count), alignment)) {
        (void)bytes_.count<Element>();  // a resource of the user may not satisfy the alignment
    }

    Element* pointer() const { return reinterpret_cast<Element*>(bytes_.native_handle()); }
    std::span<Element> part(const char* function, std::size_t offset, std::size_t count) const {
        const std::size_t all = this->count();
        if (offset > all || count > all - offset) [[unlikely]]
            detail::throw_not_in_range(function, offset, count, all);
        return {pointer() + offset, count};
    }

    detail::MemoryView element_view(const char* function, std::size_t index) const {
        const std::span<Element> element = part(function, index, 1);
        return {reinterpret_cast<driver::CUdeviceptr>(element.data()), sizeof(Element), &bytes_};
    }

    CUBIND_HIDDEN static constexpr std::size_t alignment = alignof(Element) > MemoryResourceBase::default_alignment
                                                               ? alignof(Element)
                                                               : MemoryResourceBase::default_alignment;

    Buffer bytes_;
};

template <class Element>
TypedBuffer<Element> detail::ResourceHandle::allocate(StreamRef stream, std::size_t count) const {
    return TypedBuffer<Element>(*this, stream, count);
}

template <class Element>
TypedBuffer<Element> Device::allocate(StreamRef stream, std::size_t count) const {
    return TypedBuffer<Element>(*this, stream, count);
}

}  // namespace CUBIND_NAMESPACE

template <class Element>
struct std::hash<cubind::TypedBuffer<Element>> {
    [[nodiscard]] std::size_t operator()(const cubind::TypedBuffer<Element>& buffer) const noexcept {
        return std::hash<cubind::Buffer>()(buffer.bytes());
    }
};
