// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/detail/box_view.hpp>
#include <cubind/core/memory/extent.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {

/// Memory for rows: a buffer, the offset of the first row in it, and the bytes from one row to the next.
struct PitchedMemory {
    Buffer bytes;
    std::size_t offset;
    std::size_t pitch;
};

[[nodiscard]] CUBIND_EXPORT PitchedMemory allocate_pitched(const MemoryResource& resource, StreamRef stream,
                                                           std::size_t element_size, const Extent3D& extent);

/// Throws std::invalid_argument unless the part is within the extent.
CUBIND_EXPORT void check_part(const Offset3D& offset, const Extent3D& part, const Extent3D& whole);

}  // namespace detail

/// Rows of elements in linear memory of the host or of a device, which lie `pitch` bytes apart: an image whose rows are padded,
/// or a part of a larger image. A view, as std::span is, for copies and textures. Cheap to copy.
///
///     PitchedSpan<const float> tile(&image[y * width + x], {16, 16}, width * sizeof(float));   // a part of an image on the host
///     copy(stream, array, tile);
template <class Element>
class PitchedSpan {
    static_assert(std::is_object_v<Element> && std::is_trivially_copyable_v<Element>,
                  "memory holds bytes: its elements must be trivially copyable");

public:
    /// The type of the elements, which is const for memory that is only read.
    using element_type = Element;

    /// Creates a view of rows without gaps.
    PitchedSpan(Element* data, const Extent3D& extent) noexcept : PitchedSpan(data, extent, extent.width * sizeof(Element)) {}
    /// Creates a view of rows at this pitch in bytes. The slices follow each other without gaps.
    PitchedSpan(Element* data, const Extent3D& extent, std::size_t pitch) noexcept
        : PitchedSpan(data, extent, pitch, extent.height) {}
    /// Creates a view of rows at this pitch in bytes. The first rows of two slices lie `rows_per_slice` rows apart.
    PitchedSpan(Element* data, const Extent3D& extent, std::size_t pitch, std::size_t rows_per_slice) noexcept
        : data_(data), extent_(extent), pitch_(pitch), rows_per_slice_(rows_per_slice) {}
    /// Creates a view of constant elements from a view of elements.
    template <class Other>
    requires(!std::is_same_v<Other, Element> && std::is_convertible_v<Other (*)[], Element (*)[]>)
        PitchedSpan(const PitchedSpan<Other>& other)
    noexcept : PitchedSpan(other.data(), other.extent(), other.pitch(), other.rows_per_slice()) {}

    /// Returns the address of the first element.
    [[nodiscard]] Element* data() const noexcept { return data_; }
    /// Returns the number of elements in each dimension.
    [[nodiscard]] const Extent3D& extent() const noexcept { return extent_; }
    /// Returns the bytes from one row to the next.
    [[nodiscard]] std::size_t pitch() const noexcept { return pitch_; }
    /// Returns the number of rows from one slice to the next.
    [[nodiscard]] std::size_t rows_per_slice() const noexcept { return rows_per_slice_; }

    /// Returns the address of an element. The position is not checked.
    [[nodiscard]] Element* at(const Offset3D& position) const noexcept {
        using Byte = std::conditional_t<std::is_const_v<Element>, const char, char>;
        auto* const bytes = reinterpret_cast<Byte*>(data_) + (position.z * rows_per_slice_ + position.y) * pitch_;
        return reinterpret_cast<Element*>(bytes) + position.x;
    }

    /// Returns a part. Throws std::invalid_argument if it is not within the rows.
    [[nodiscard]] PitchedSpan region(const Offset3D& offset, const Extent3D& extent) const {
        detail::check_part(offset, extent, extent_);
        return {at(offset), extent, pitch_, rows_per_slice_};
    }

    /// Returns the pointer that a kernel receives.
    [[nodiscard]] Element* kernel_argument() const noexcept { return data_; }

private:
    friend detail::BoxView box_view_of(const PitchedSpan& span) noexcept { return span.view(nullptr); }
    template <class Other>
    friend class PitchedBuffer;

    detail::BoxView view(const Buffer* buffer) const noexcept {
        return {.address = reinterpret_cast<driver::CUdeviceptr>(data_),
                .buffer = buffer,
                .extent = extent_,
                .element_size = sizeof(Element),
                .pitch = pitch_,
                .rows_per_slice = rows_per_slice_};
    }

    Element* data_;
    Extent3D extent_;
    std::size_t pitch_;
    std::size_t rows_per_slice_;
};

/// An owner of rows of elements in device or host memory, at a pitch that suits textures and copies. The rules of Buffer for
/// lifetime, stream order, threads and captures apply.
///
///     PitchedBuffer<float> image = device.allocate_pitched<float>(stream, {.width = 641, .height = 480});
///     copy(stream, image, pixels);                       // std::vector<float> of 641 * 480 elements
///     launch(stream, config, kernel, image, image.pitch(), ...);
template <class Element>
class [[nodiscard]] PitchedBuffer {
    static_assert(std::is_object_v<Element> && !std::is_const_v<Element> && !std::is_array_v<Element> &&
                      std::is_trivially_copyable_v<Element>,
                  "the elements of a PitchedBuffer must be of a trivially copyable type, and neither const nor arrays");

public:
    /// The type of the elements.
    using element_type = Element;

    /// Creates an empty buffer, which is closed.
    PitchedBuffer() noexcept = default;

    /// Allocates rows from the resource, for work that is submitted to the stream from now on. Rows begin at multiples of the
    /// device's texture_alignment(), so that each can be a texture. Throws like MemoryResource::allocate(), and
    /// std::invalid_argument for an extent whose size does not fit into std::size_t.
    [[nodiscard]] PitchedBuffer(const MemoryResource& resource, StreamRef stream, const Extent3D& extent)
        : PitchedBuffer(detail::allocate_pitched(resource, stream, sizeof(Element), extent), extent) {}

    /// Returns the number of elements in each dimension.
    [[nodiscard]] const Extent3D& extent() const { return (void)bytes_.size(), extent_; }
    /// Returns the bytes from one row to the next.
    [[nodiscard]] std::size_t pitch() const { return (void)bytes_.size(), pitch_; }
    /// Returns the address of the first row.
    [[nodiscard]] driver::CUdeviceptr native_handle() const { return bytes_.native_handle() + offset_; }
    /// Returns the memory, which may begin before the first row.
    [[nodiscard]] const Buffer& bytes() const& noexcept { return bytes_; }
    /// Deleted: a temporary buffer frees its memory before the reference is used.
    const Buffer& bytes() const&& = delete;

    /// Returns the rows by their addresses, for kernels and copies.
    [[nodiscard]] PitchedSpan<Element> span() const& { return {kernel_argument(), extent_, pitch_}; }
    /// Returns a part. Throws std::invalid_argument if it is not within the rows.
    [[nodiscard]] PitchedSpan<Element> region(const Offset3D& offset, const Extent3D& extent) const& {
        return span().region(offset, extent);
    }
    // Deleted: a temporary buffer frees its memory before the view is used.
    PitchedSpan<Element> span() const&& = delete;
    PitchedSpan<Element> region(const Offset3D&, const Extent3D&) const&& = delete;

    /// Sets the stream in whose order the memory is freed, like Buffer::set_deallocation_stream().
    void set_deallocation_stream(StreamRef stream) { bytes_.set_deallocation_stream(stream); }
    /// Frees the memory in stream order, like Buffer::close().
    void close() { bytes_.close(); }
    /// Frees the memory in the order of this stream, like Buffer::close(stream).
    void close(StreamRef stream) { bytes_.close(stream); }
    /// Returns whether the buffer is empty, or was moved from or closed.
    [[nodiscard]] bool is_closed() const noexcept { return bytes_.is_closed(); }

    /// Returns the pointer that a kernel receives.
    [[nodiscard]] Element* kernel_argument() const { return reinterpret_cast<Element*>(native_handle()); }

private:
    friend std::shared_ptr<const void> share(const PitchedBuffer& buffer) { return detail::share(buffer.bytes_); }
    friend detail::BoxView box_view_of(const PitchedBuffer& buffer) { return buffer.view(); }

    detail::BoxView view() const { return span().view(&bytes_); }

    PitchedBuffer(detail::PitchedMemory&& memory, const Extent3D& extent) noexcept
        : bytes_(std::move(memory.bytes)), offset_(memory.offset), pitch_(memory.pitch), extent_(extent) {}

    Buffer bytes_;
    std::size_t offset_ = 0;
    std::size_t pitch_ = 0;
    Extent3D extent_;
};

template <class Element>
PitchedBuffer<Element> Device::allocate_pitched(StreamRef stream, const Extent3D& extent) const {
    return PitchedBuffer<Element>(memory_resource(), stream, extent);
}

}  // namespace CUBIND_NAMESPACE
