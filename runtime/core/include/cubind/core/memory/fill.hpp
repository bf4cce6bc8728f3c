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

/// The memory that a fill sets, and the value that it repeats.
struct FillArguments {
    MemoryView memory;
    unsigned int pattern;       ///< the bytes of the value, followed by zeros
    unsigned int pattern_size;  ///< in bytes: 1, 2 or 4
};

CUBIND_EXPORT void fill(StreamRef stream, const FillArguments& arguments);

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
template <class View>
requires OperandOf<View>::is_view struct FillTarget<View&> : FillTarget<std::remove_const_t<View>> {
};
template <class Destination>
using FillValueFor = typename FillTarget<Destination>::Value;

template <class Destination>
FillArguments fill_arguments(Destination&& destination, const FillValueFor<Destination>& value) {
    using Element = typename OperandOf<Destination>::Element;
    static_assert(!std::is_const_v<Element>, "the destination of a fill must not be constant");
    static_assert(std::is_trivially_copyable_v<Element>, "a fill writes bytes: the elements must be trivially copyable");
    return {OperandOf<Destination>::view(destination), value.pattern, value.size};
}

}  // namespace detail

/// Repeats a value of 1, 2 or 4 bytes over memory that the stream's device can access, in stream order (cuMemsetD8Async,
/// cuMemsetD16Async, cuMemsetD32Async). Throws std::invalid_argument if the size or the address of the memory is not a multiple
/// of the value's size. A fill of 0 bytes does nothing.
///
///     fill(stream, buffer, std::uint8_t{0xFF});
///     fill(stream, floats, 1.5f);                       // TypedBuffer<float>
///     fill(stream, floats.span().first(16), 1.5f);
///
/// The memory is a Buffer, a TypedBuffer, a std::span or a Global variable of loaded code. The value converts to the type of the
/// elements, which have 1, 2 or 4 bytes. A std::byte sets all bytes of elements of any size. The bytes of a Buffer have no type:
/// the value 0 is an int and has four bytes, and std::uint8_t{0} fills memory of any size.
template <class Destination>
void fill(StreamRef stream, Destination&& destination, detail::FillValueFor<Destination> value) {
    detail::fill(stream, detail::fill_arguments(std::forward<Destination>(destination), value));
}

}  // namespace CUBIND_NAMESPACE
