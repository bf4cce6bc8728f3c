// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace cubind {

class Buffer;

namespace detail {

/// One side of a copy.
struct MemoryView {
    driver::CUdeviceptr address;
    std::size_t size;
    const Buffer* buffer;  ///< that the memory is of, where it is
};

MemoryView view_of(const Buffer& buffer);

template <class Range>
concept Contiguous = requires(Range& range) { std::span(range); };

template <Contiguous Range>
MemoryView view_of(Range& range) noexcept {
    const std::span elements(range);
    return {reinterpret_cast<driver::CUdeviceptr>(elements.data()), elements.size_bytes(), nullptr};
}

/// What the elements of a range are; of a buffer: any.
template <class Range>
struct ElementOf {
    using type = std::byte;
};
template <Contiguous Range>
struct ElementOf<Range> {
    using type = typename decltype(std::span(std::declval<Range&>()))::element_type;
};

template <class Range>
inline constexpr bool is_buffer = std::is_same_v<std::remove_cv_t<Range>, Buffer>;

/// A copy goes on after the call, so that a range that owns its elements must be somebody's object.
template <class Range>
inline constexpr bool outlives_call =
    std::is_lvalue_reference_v<Range&&> || std::ranges::enable_borrowed_range<std::remove_cvref_t<Range>>;

template <class To, class From>
inline constexpr bool are_alike = std::is_same_v<To, From> || std::is_same_v<To, std::byte> || std::is_same_v<From, std::byte>;

void copy(StreamRef stream, const MemoryView& destination, const MemoryView& source);

}  // namespace detail

/// Copies all of the source to the beginning of the destination, in stream order (cuMemcpyAsync). Each is a Buffer or a contiguous
/// range of trivially copyable elements, in memory of the host or of any device, in which direction ever. Throws std::invalid_argument
/// where the destination is smaller than the source; no bytes: nothing is done, but the objects have to be good.
///
///     copy(stream, buffer, values);                        // to the device
///     copy(stream, std::span(results).first(n), buffer);   // and back: wait for the stream before you read them
///
/// Ranges have to live until the work is done, and where it is captured, as long as the graph; buffers see to that themselves. Where
/// the host's memory is pageable, the call may wait for the copy. From one device to another no access is needed (cuMemcpyPeerAsync),
/// unless the copy is captured: then one of them has to reach the other's memory.
template <class Destination, class Source>
    requires(detail::is_buffer<std::remove_reference_t<Destination>> || detail::Contiguous<std::remove_reference_t<Destination>>) &&
            (detail::is_buffer<std::remove_reference_t<Source>> || detail::Contiguous<std::remove_reference_t<Source>>)
void copy(StreamRef stream, Destination&& destination, Source&& source) {
    static_assert(!std::is_same_v<std::remove_reference_t<Destination>, const Buffer>, "the destination is constant");
    using To = typename detail::ElementOf<std::remove_reference_t<Destination>>::type;
    using From = std::remove_const_t<typename detail::ElementOf<std::remove_reference_t<Source>>::type>;
    static_assert(!std::is_const_v<To>, "the elements of the destination are constant");
    static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>,
                  "only trivially copyable elements can be copied as bytes");
    static_assert(detail::are_alike<To, From>, "the elements differ in type; if that is meant, pass std::as_bytes() of the source");
    static_assert(detail::outlives_call<Destination> && detail::outlives_call<Source>,
                  "the range is a temporary object, which would be gone before the copy is done: give it a name");
    detail::copy(stream, detail::view_of(destination), detail::view_of(source));
}

}  // namespace cubind
