// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/copy.hpp>
#include <cubind/core/stream.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace cubind {

namespace detail {

void fill(StreamRef stream, const MemoryView& destination, const void* pattern, std::size_t pattern_size);

template <class Value>
void fill_with(StreamRef stream, const MemoryView& destination, const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>, "memory is filled with bytes: the value has to be trivially copyable");
    static_assert(sizeof(Value) == 1 || sizeof(Value) == 2 || sizeof(Value) == 4, "a pattern has 1, 2 or 4 bytes");
    fill(stream, destination, &value, sizeof(Value));
}

}  // namespace detail

/// Repeats the value, of 1, 2 or 4 bytes, all over memory that a device can reach, in stream order (cuMemsetD8Async, cuMemsetD16Async,
/// cuMemsetD32Async). Throws std::invalid_argument where the memory's size is no multiple of the value's, or its address is not: an int
/// has four bytes, so that std::uint8_t{0} fills memory of any size. No bytes: nothing is done.
///
///     fill(stream, buffer, std::uint8_t{0xFF});
///     fill(stream, buffer.span<float>().first(16), 1.5f);
template <class Value>
void fill(StreamRef stream, Buffer& destination, Value value) {
    detail::fill_with(stream, detail::view_of(destination), value);
}
template <class Element, std::size_t extent>
void fill(StreamRef stream, std::span<Element, extent> destination, std::type_identity_t<Element> value) {
    static_assert(!std::is_const_v<Element>, "the elements of the destination are constant");
    detail::fill_with(stream, detail::view_of(destination), value);
}

}  // namespace cubind
