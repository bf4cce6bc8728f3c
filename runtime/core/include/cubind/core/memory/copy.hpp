// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy_options.hpp>
#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/stream/stream.hpp>

#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {

/// The memory of both sides of a copy.
struct CopyOperands {
    MemoryView destination;
    MemoryView source;
};

/// Returns the memory of both sides. Does not compile for operands that cannot be copied.
template <class Destination, class Source>
CopyOperands copy_operands(Destination&& destination, Source&& source) {
    using To = OperandOf<Destination>;
    using From = OperandOf<Source>;
    using ToElement = typename To::Element;
    using FromElement = std::remove_cv_t<typename From::Element>;
    static_assert(!std::is_const_v<ToElement>, "the destination of a copy must not be constant");
    static_assert(std::is_trivially_copyable_v<ToElement> && std::is_trivially_copyable_v<FromElement>,
                  "a copy copies bytes: the elements must be trivially copyable");
    static_assert(!is_bare_pointer<To, FromElement> && !is_bare_pointer<From, ToElement>,
                  "a pointer has no size: pass std::span(pointer, count)");
    static_assert(have_matching_elements<ToElement, FromElement>,
                  "the element types differ: pass std::as_bytes() of the source, or bytes() of a TypedBuffer, to copy the bytes");
    static_assert(outlives_call<Destination> && outlives_call<Source>,
                  "a temporary object is destroyed before the copy is done: give it a name");
    return {To::view(destination), From::view(source)};
}

CUBIND_EXPORT void copy(StreamRef stream, const CopyOperands& operands);
CUBIND_EXPORT void copy(StreamRef stream, const CopyOperands& operands, const CopyOptions& options);

}  // namespace detail

/// Copies all of the source to the beginning of the destination, in stream order (cuMemcpyAsync). Each side is a
/// Buffer, a TypedBuffer, a Global, a contiguous range of trivially copyable elements or a single trivially copyable
/// value, in memory of the host or of any device. Throws std::invalid_argument if the destination is smaller than the
/// source. A copy of 0 bytes does nothing, but checks the stream and the buffers.
///
///     copy(stream, buffer, values);                        // to the device
///     copy(stream, std::span(results).first(n), buffer);   // to the host; synchronize before you read the results
///     copy(stream, code.global<float>("scale", device), scale);
///
/// Ranges and values must stay valid until the copy has completed; if the copy is captured, until the graph is destroyed. A
/// buffer may be destroyed earlier, because it frees its memory in stream order. If the host memory is pageable, the call may
/// wait for the copy. A copy between devices requires no peer access (cuMemcpyPeerAsync), unless it is captured. A captured
/// copy requires that one of the devices can access the memory of the other.
template <class Destination, class Source>
requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source>
void copy(StreamRef stream, Destination&& destination, Source&& source) {
    detail::copy(stream, detail::copy_operands(std::forward<Destination>(destination), std::forward<Source>(source)));
}

/// Copies like the function above, with options (cuMemcpyWithAttributesAsync; before CUDA 13.2, cuMemcpyBatchAsync). Options that
/// are equal to CopyOptions{} have no effect.
///
/// Drivers support no options before CUDA 12.8, in the legacy default stream, during captures, and for copies between devices
/// that cannot access each other. In these cases, the copy reads its source in stream order and ignores hints, and with
/// SourceAccessOrder::during_api_call the call waits until the copy has completed. During a capture,
/// SourceAccessOrder::during_api_call throws std::invalid_argument, because each launch of the graph reads the source again.
template <class Destination, class Source>
requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source>
void copy(StreamRef stream, Destination&& destination, Source&& source, const CopyOptions& options) {
    detail::copy(stream, detail::copy_operands(std::forward<Destination>(destination), std::forward<Source>(source)), options);
}

/// Deleted: the stream is the first argument. Compilers show the line of the deleted function, with its comment.
template <class Destination, class Source, class Last>
requires detail::HasStreamLast<Destination, Last>
void copy(Destination&&, Source&&, const Last&) = delete;  // write copy(stream, destination, source)

namespace detail {

/// One side of a copy in two or three dimensions.
template <class Type>
struct CopySide {
    using Element = typename OperandOf<Type>::Element;
    CUBIND_HIDDEN static constexpr bool is_alive = outlives_call<Type>;
    static BoxView view(std::remove_reference_t<Type>& memory) {
        const MemoryView bytes = OperandOf<Type>::view(memory);
        return {.address = bytes.address, .buffer = bytes.buffer, .size = bytes.size};
    }
};
template <class Type>
requires IsBox<std::remove_cvref_t<Type>>
struct CopySide<Type> {
    using Element = typename BoxElement<std::remove_cvref_t<Type>>::Element;
    // A view is trivially copyable, and an owner is not.
    CUBIND_HIDDEN static constexpr bool is_alive =
        std::is_lvalue_reference_v<Type&&> || std::is_trivially_copyable_v<std::remove_cvref_t<Type>>;
    static BoxView view(const std::remove_reference_t<Type>& box) { return box_view_of(box); }
};

template <class Type>
concept IsCopySide = IsBox<std::remove_cvref_t<Type>> || IsMemoryOperand<Type>;

/// A copy with a box on at least one side.
template <class Destination, class Source>
concept IsBoxCopy = IsCopySide<Destination> && IsCopySide<Source> &&
    (IsBox<std::remove_cvref_t<Destination>> || IsBox<std::remove_cvref_t<Source>>);

/// Both sides of a copy in two or three dimensions.
struct BoxOperands {
    BoxView destination;
    BoxView source;
};

/// Returns both sides. Does not compile for operands that cannot be copied.
template <class Destination, class Source>
BoxOperands box_operands(Destination&& destination, Source&& source) {
    using To = CopySide<Destination>;
    using From = CopySide<Source>;
    using ToElement = typename To::Element;
    using FromElement = std::remove_cv_t<typename From::Element>;
    static_assert(!std::is_const_v<ToElement>, "the destination of a copy must not be constant");
    static_assert(std::is_trivially_copyable_v<ToElement> && std::is_trivially_copyable_v<FromElement>,
                  "a copy copies bytes: the elements must be trivially copyable");
    static_assert(have_matching_elements<std::remove_cv_t<ToElement>, FromElement>,
                  "the element types differ: copy between memory of the same element type");
    static_assert(To::is_alive && From::is_alive, "a temporary object is destroyed before the copy is done: give it a name");
    return {To::view(destination), From::view(source)};
}

/// A copy of memory, or a copy with a box.
template <class Destination, class Source>
concept IsCopy = (IsMemoryOperand<Destination> && IsMemoryOperand<Source>) || IsBoxCopy<Destination, Source>;

/// Returns the BoxOperands or the CopyOperands of a copy.
template <class Destination, class Source>
auto operands_of_copy(Destination&& destination, Source&& source) {
    if constexpr (IsBoxCopy<Destination, Source>) {
        return box_operands(std::forward<Destination>(destination), std::forward<Source>(source));
    } else {
        return copy_operands(std::forward<Destination>(destination), std::forward<Source>(source));
    }
}

}  // namespace detail

/// Copies in two and three dimensions, in stream order (cuMemcpy2DAsync, cuMemcpy3DAsync; between devices cuMemcpy3DPeerAsync).
/// At least one side is a box: an ArrayRef, an ArrayRegion, a PitchedSpan or a PitchedBuffer. The other side is a box, or memory
/// as for the other copy(), whose rows follow each other without gaps.
///
///     copy(stream, image, pixels);                                                 // std::vector of all elements
///     copy(stream, image.region({.x = 8, .y = 8}, {.width = 16, .height = 16}), tile);
///     copy(stream, pitched, image);                                                // PitchedBuffer of the same extent
///     copy(stream, results, volume.layer(3));
///
/// Copies the whole source to the beginning of the destination. Throws std::invalid_argument, before it calls the driver, if a
/// part is not within its array, if the source is larger than the destination in any dimension, or if the sizes of the elements
/// differ. Throws it also if a source without a shape does not have the size of the destination, or a destination without a shape
/// is smaller than the source. The rules of the other copy() for lifetimes, captures and pageable memory apply. A captured copy
/// retains buffers and arrays.
template <class Destination, class Source>
requires detail::IsBoxCopy<Destination, Source>
void copy(StreamRef stream, Destination&& destination, Source&& source) {
    const auto operands = detail::box_operands(std::forward<Destination>(destination), std::forward<Source>(source));
    detail::copy_box(stream, operands.destination, operands.source);
}

}  // namespace CUBIND_NAMESPACE
