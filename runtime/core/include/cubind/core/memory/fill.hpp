// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/stream/stream.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {

/// The memory that a fill sets, and the value that it repeats. Memory of several dimensions is slices of rows.
struct FillArguments {
    MemoryView memory;            ///< the first row
    unsigned int pattern;         ///< the bytes of the value, followed by zeros
    unsigned int pattern_size;    ///< in bytes: 1, 2 or 4
    std::size_t rows = 1;         ///< the rows of a slice
    std::size_t pitch = 0;        ///< the bytes from one row to the next
    std::size_t slices = 1;       ///< the number of slices
    std::size_t slice_pitch = 0;  ///< the bytes from one slice to the next
};

CUBIND_EXPORT void fill(StreamRef stream, const FillArguments& arguments);

/// Returns the arguments for pitched memory. Throws std::invalid_argument for rows or slices that overlap.
[[nodiscard]] CUBIND_EXPORT FillArguments fill_arguments_of(const BoxView& memory, unsigned int pattern,
                                                            unsigned int pattern_size);

/// Fills an array or a part of one.
CUBIND_EXPORT void fill_array(StreamRef stream, const BoxView& array, unsigned int pattern, unsigned int pattern_size);

/// The value of a fill of elements. It is constructed from any value that converts to the element type, or from a std::byte,
/// which sets all bytes of elements of any type.
template <class Element>
class FillValue {
public:
    FillValue(Element value) {
        static_assert(std::is_trivially_copyable_v<Element>, "a fill writes bytes: the value must be trivially copyable");
        static_assert(sizeof(Element) == 1 || sizeof(Element) == 2 || sizeof(Element) == 4,
                      "a fill repeats 1, 2 or 4 bytes: fill larger elements with a std::byte");
        __builtin_memcpy(&pattern, &value, sizeof value <= sizeof pattern ? sizeof value : 0);
        size = sizeof value;
    }
    FillValue(std::byte value) requires(!std::is_same_v<std::remove_const_t<Element>, std::byte>)
        : pattern(std::to_integer<unsigned int>(value)), size(1) {}

    unsigned int pattern = 0;
    unsigned int size = 0;
};

/// The value of a fill of a Buffer, whose bytes have no type: any value of 1, 2 or 4 bytes.
class UntypedFillValue {
public:
    template <class Value>
    UntypedFillValue(const Value& value) {
        const FillValue<Value> typed(value);
        pattern = typed.pattern;
        size = typed.size;
    }

    unsigned int pattern = 0;
    unsigned int size = 0;
};

/// `Value` is the type of the values that can fill memory of the forwarded type `Destination`. It is missing for types that
/// cannot be filled.
template <class Destination>
struct FillTarget {};
template <>
struct FillTarget<Buffer&> {
    using Value = UntypedFillValue;
};
template <class Element>
struct FillTarget<TypedBuffer<Element>&> {
    using Value = FillValue<Element>;
};
template <class Element, std::size_t extent>
struct FillTarget<std::span<Element, extent>> {
    using Value = FillValue<Element>;
};
template <class Type>
struct FillTarget<Global<Type>> {
    using Value = FillValue<std::remove_extent_t<Type>>;
};
template <class Box>
requires IsTypedBox<std::remove_cvref_t<Box>>
struct FillTarget<Box> {
    using Value = FillValue<typename std::remove_cvref_t<Box>::element_type>;
};
template <class View>
requires OperandOf<View>::is_view struct FillTarget<View&> : FillTarget<std::remove_const_t<View>> {
};
template <class Destination>
using FillValueFor = typename FillTarget<Destination>::Value;

template <class Element>
constexpr void check_fill_element() {
    static_assert(!std::is_const_v<Element>, "the destination of a fill must not be constant");
    static_assert(std::is_trivially_copyable_v<Element>, "a fill writes bytes: the elements must be trivially copyable");
}

template <class Destination>
FillArguments fill_arguments(Destination&& destination, const FillValueFor<Destination>& value) {
    if constexpr (IsBox<std::remove_cvref_t<Destination>>) {
        check_fill_element<typename std::remove_cvref_t<Destination>::element_type>();
        return fill_arguments_of(box_view_of(destination), value.pattern, value.size);
    } else {
        check_fill_element<typename OperandOf<Destination>::Element>();
        return {OperandOf<Destination>::view(destination), value.pattern, value.size};
    }
}

}  // namespace detail

/// Repeats a value of 1, 2 or 4 bytes over memory that the stream's device can access, in stream order (cuMemsetD8Async,
/// cuMemsetD16Async, cuMemsetD32Async; of rows with gaps, cuMemsetD2D8Async and so on). Throws std::invalid_argument if the size
/// or the address of the memory, or a pitch, is not a multiple of the value's size. A fill of 0 bytes does nothing.
///
///     fill(stream, buffer, std::uint8_t{0xFF});
///     fill(stream, floats, 1.5f);                       // TypedBuffer<float>
///     fill(stream, floats.span().first(16), 1.5f);
///     fill(stream, image.region({.x = 8}, {.width = 16, .height = 16}), 1.5f);       // of a PitchedBuffer<float>
///
/// The memory is a Buffer, a TypedBuffer, a PitchedBuffer, a PitchedSpan, a std::span or a Global variable of loaded code; for
/// arrays and strided memory, there are functions of the same name. Slices with gaps are filled by one call each. The gaps
/// between rows remain. The value converts to the type of the elements, which have 1, 2 or 4 bytes. A std::byte sets all bytes of
/// elements of any size. The bytes of a Buffer have no type: the value 0 is an int and has four bytes, and std::uint8_t{0} fills
/// memory of any size.
template <class Destination>
void fill(StreamRef stream, Destination&& destination, detail::FillValueFor<Destination> value) {
    detail::fill(stream, detail::fill_arguments(std::forward<Destination>(destination), value));
}

/// Deleted: the stream is the first argument. Compilers show the line of the deleted function, with its comment.
template <class Destination, class Value, class Last>
requires detail::HasStreamLast<Destination, Last>
void fill(Destination&&, const Value&, const Last&) = delete;  // write fill(stream, destination, value)

/// Repeats a value of 1, 2 or 4 bytes over the elements of an array or of a part of one, in stream order. The driver fills linear
/// memory only: a slice is filled in temporary memory of the stream's device and copied to each slice (cuMemcpy3DAsync). Throws
/// std::invalid_argument if the size of an element is not a multiple of the value's size, and OutOfMemory.
///
///     fill(stream, image, 0.0f);                                  // Array of float, float2 or float4
///     fill(stream, image.region({.y = 8}, {.width = 64, .height = 8}), std::uint8_t{255});
template <class Destination>
requires(detail::IsBox<Destination> && !detail::IsTypedBox<Destination>)  //
    void fill(StreamRef stream, const Destination& destination, detail::UntypedFillValue value) {
    detail::fill_array(stream, box_view_of(destination), value.pattern, value.size);
}

}  // namespace CUBIND_NAMESPACE
