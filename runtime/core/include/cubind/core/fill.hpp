// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/memory_operand.hpp>
#include <cubind/core/stream.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace CUBIND_NAMESPACE {

namespace detail {

CUBIND_EXPORT void fill(StreamRef stream, const MemoryView& destination, const void* pattern, std::size_t pattern_size);

template <class Destination, class Value>
void fill_operand(StreamRef stream, Destination&& destination, const Value& value) {
    using Element = typename OperandOf<Destination>::Element;
    static_assert(!std::is_const_v<Element>, "the destination of a fill must not be constant");
    static_assert(std::is_trivially_copyable_v<Element>, "a fill writes bytes: the elements must be trivially copyable");
    static_assert(std::is_trivially_copyable_v<Value>, "a fill writes bytes: the value must be trivially copyable");
    static_assert(sizeof(Value) == 1 || sizeof(Value) == 2 || sizeof(Value) == 4,
                  "a fill repeats 1, 2 or 4 bytes: fill larger elements with a std::byte");
    fill(stream, OperandOf<Destination>::view(destination), &value, sizeof(Value));
}

}  // namespace detail

/// Repeats a value of 1, 2 or 4 bytes over memory that the stream's device can access, in stream order (cuMemsetD8Async,
/// cuMemsetD16Async, cuMemsetD32Async). Throws std::invalid_argument if the size or the address of the memory is not a multiple
/// of the value's size. The value 0 is an int and has four bytes; std::uint8_t{0} fills memory of any size. A fill of 0 bytes
/// does nothing.
///
///     fill(stream, buffer, std::uint8_t{0xFF});
///     fill(stream, floats, 1.5f);                       // TypedBuffer<float>
///     fill(stream, floats.span().first(16), 1.5f);
template <class Value>
void fill(StreamRef stream, Buffer& destination, Value value) {
    detail::fill_operand(stream, destination, value);
}
/// Sets all elements of a buffer to the value. The elements have 1, 2 or 4 bytes.
template <class Element>
void fill(StreamRef stream, TypedBuffer<Element>& destination, std::type_identity_t<Element> value) {
    detail::fill_operand(stream, destination, value);
}
/// Sets all elements of a span to the value. The elements have 1, 2 or 4 bytes.
template <class Element, std::size_t extent>
void fill(StreamRef stream, std::span<Element, extent> destination, std::type_identity_t<Element> value) {
    detail::fill_operand(stream, destination, value);
}
/// Sets a variable of loaded code, or all elements of an array, to the value. The elements have 1, 2 or 4 bytes.
template <class Type>
void fill(StreamRef stream, Global<Type> destination, std::type_identity_t<std::remove_extent_t<Type>> value) {
    detail::fill_operand(stream, destination, value);
}
/// Sets all bytes of a buffer to the value. Elements may have any size.
template <class Element>
requires(!std::is_same_v<Element, std::byte>) void fill(StreamRef stream, TypedBuffer<Element>& destination, std::byte value) {
    detail::fill_operand(stream, destination, value);
}
/// Sets all bytes of a span to the value. Elements may have any size.
template <class Element, std::size_t extent>
requires(!std::is_same_v<Element, std::byte>) void fill(StreamRef stream, std::span<Element, extent> destination,
                                                        std::byte value) {
    detail::fill_operand(stream, destination, value);
}
/// Sets all bytes of a variable of loaded code to the value.
template <class Type>
requires(!std::is_same_v<std::remove_extent_t<Type>, std::byte>) void fill(StreamRef stream, Global<Type> destination,
                                                                           std::byte value) {
    detail::fill_operand(stream, destination, value);
}

}  // namespace CUBIND_NAMESPACE
