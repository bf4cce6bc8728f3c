// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/memory_operand.hpp>
#include <cubind/core/stream.hpp>

#include <type_traits>

namespace CUBIND_NAMESPACE {

namespace detail {

CUBIND_EXPORT void copy(StreamRef stream, const MemoryView& destination, const MemoryView& source);

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
    using To = detail::OperandOf<Destination>;
    using From = detail::OperandOf<Source>;
    using ToElement = typename To::Element;
    using FromElement = std::remove_cv_t<typename From::Element>;
    static_assert(!std::is_const_v<ToElement>, "the destination of a copy must not be constant");
    static_assert(std::is_trivially_copyable_v<ToElement> && std::is_trivially_copyable_v<FromElement>,
                  "a copy copies bytes: the elements must be trivially copyable");
    static_assert(!detail::is_bare_pointer<To, FromElement> && !detail::is_bare_pointer<From, ToElement>,
                  "a pointer has no size: pass std::span(pointer, count)");
    static_assert(detail::have_matching_elements<ToElement, FromElement>,
                  "the element types differ: pass std::as_bytes() of the source, or bytes() of a TypedBuffer, to copy the bytes");
    static_assert(detail::outlives_call<Destination> && detail::outlives_call<Source>,
                  "a temporary object is destroyed before the copy is done: give it a name");
    detail::copy(stream, To::view(destination), From::view(source));
}

}  // namespace CUBIND_NAMESPACE
