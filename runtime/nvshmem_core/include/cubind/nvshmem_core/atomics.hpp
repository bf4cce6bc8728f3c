// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvshmem_core/session.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

/// @file
/// Atomic operations on elements of the symmetric heap of a PE, in stream order. NVSHMEM's library for the host has functions for
/// them, but up to 3.8 they print that they are not implemented. So these launch a kernel of cubind, which reaches the element
/// over NVLink or PCIe: the PE must be one whose memory the device can read and write, and other PEs throw std::invalid_argument.
/// They are atomic with each other and with the atomics of <nvshmem.h> in kernels, which reach all PEs. Over PCIe, the devices
/// must support it: Device::peer_atomics(). Elements are integers of 4 and 8 bytes; of float and double, all but bitwise
/// operations. The result of an operation that fetches is the value before it. The result is one element of any memory that the
/// device can write.

namespace CUBIND_NAMESPACE::nvshmem {

namespace detail {

enum class AtomicKind : unsigned char { fetch, exchange, compare, add, bit_and, bit_or, bit_xor };

/// One operation, with values as bits of the type.
struct CUBIND_EXPORT AtomicCall {
    AtomicKind kind;
    ElementType type;
    std::uint64_t value = 0;
    std::uint64_t expected = 0;

    /// Submits the operation. `result` is null if nothing is fetched. `name` is for messages.
    void submit(const char* name, const Session& session, StreamRef stream, const Operand* result, const Operand& target,
                int pe) const;
};

template <AtomicKind kind, class Element>
constexpr ElementType atomic_type() noexcept {
    constexpr ElementType type = data_type_of<Element>();
    static_assert(size_of(type) >= 4, "atomic operations need elements of 4 or 8 bytes");
    static_assert(kind < AtomicKind::bit_and || is_integer(type), "bitwise operations need integers");
    return type;
}

template <class Element>
std::uint64_t bits_of(const Element& value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <AtomicKind kind, Destination Target>
void submit_atomic(const char* name, const Session& session, StreamRef stream, Target&& target,
                   const std::type_identity_t<ElementOf<Target>>& value, int pe) {
    const AtomicCall call{kind, atomic_type<kind, ElementOf<Target>>(), bits_of(value)};
    call.submit(name, session, stream, nullptr, operand_of(target), pe);
}

template <AtomicKind kind, class Result, class Target>
void submit_fetch(const char* name, const Session& session, StreamRef stream, Result&& result, Target&& target,
                  const std::type_identity_t<ElementOf<Result>>& value, int pe, const ElementOf<Result>& expected = {}) {
    const AtomicCall call{kind, atomic_type<kind, ElementOf<Result>>(), bits_of(value), bits_of(expected)};
    const Operand to = operand_of(result);
    call.submit(name, session, stream, &to, operand_of(target), pe);
}

}  // namespace detail

/// Sets the element of the PE `pe`.
template <detail::Destination Target>
void atomic_set(const Session& session, StreamRef stream, Target&& target,
                const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_atomic<detail::AtomicKind::exchange>("atomic_set", session, stream, target, value, pe);
}
/// Adds the value.
template <detail::Destination Target>
void atomic_add(const Session& session, StreamRef stream, Target&& target,
                const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_atomic<detail::AtomicKind::add>("atomic_add", session, stream, target, value, pe);
}
/// Keeps the bits that the value has.
template <detail::Destination Target>
void atomic_and(const Session& session, StreamRef stream, Target&& target,
                const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_atomic<detail::AtomicKind::bit_and>("atomic_and", session, stream, target, value, pe);
}
/// Sets the bits that the value has.
template <detail::Destination Target>
void atomic_or(const Session& session, StreamRef stream, Target&& target,
               const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_atomic<detail::AtomicKind::bit_or>("atomic_or", session, stream, target, value, pe);
}
/// Inverts the bits that the value has.
template <detail::Destination Target>
void atomic_xor(const Session& session, StreamRef stream, Target&& target,
                const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_atomic<detail::AtomicKind::bit_xor>("atomic_xor", session, stream, target, value, pe);
}
/// Fetches the element.
template <detail::Destination Result, detail::Source Target>
requires detail::Matching<Result, Target>
void atomic_fetch(const Session& session, StreamRef stream, Result&& result, Target&& target, int pe) {
    detail::submit_fetch<detail::AtomicKind::fetch>("atomic_fetch", session, stream, result, target, {}, pe);
}
/// Fetches the element and sets it.
template <detail::Destination Result, detail::Destination Target>
requires detail::Matching<Result, Target>
void atomic_swap(const Session& session, StreamRef stream, Result&& result, Target&& target,
                 const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_fetch<detail::AtomicKind::exchange>("atomic_swap", session, stream, result, target, value, pe);
}
/// Fetches the element and sets it if it has the bits of `expected`.
template <detail::Destination Result, detail::Destination Target>
requires detail::Matching<Result, Target>
void atomic_compare_swap(const Session& session, StreamRef stream, Result&& result, Target&& target,
                         const std::type_identity_t<detail::ElementOf<Target>>& expected,
                         const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_fetch<detail::AtomicKind::compare>("atomic_compare_swap", session, stream, result, target, value, pe,
                                                      expected);
}
/// Fetches the element and adds the value.
template <detail::Destination Result, detail::Destination Target>
requires detail::Matching<Result, Target>
void atomic_fetch_add(const Session& session, StreamRef stream, Result&& result, Target&& target,
                      const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_fetch<detail::AtomicKind::add>("atomic_fetch_add", session, stream, result, target, value, pe);
}
/// Fetches the element and keeps the bits that the value has.
template <detail::Destination Result, detail::Destination Target>
requires detail::Matching<Result, Target>
void atomic_fetch_and(const Session& session, StreamRef stream, Result&& result, Target&& target,
                      const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_fetch<detail::AtomicKind::bit_and>("atomic_fetch_and", session, stream, result, target, value, pe);
}
/// Fetches the element and sets the bits that the value has.
template <detail::Destination Result, detail::Destination Target>
requires detail::Matching<Result, Target>
void atomic_fetch_or(const Session& session, StreamRef stream, Result&& result, Target&& target,
                     const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_fetch<detail::AtomicKind::bit_or>("atomic_fetch_or", session, stream, result, target, value, pe);
}
/// Fetches the element and inverts the bits that the value has.
template <detail::Destination Result, detail::Destination Target>
requires detail::Matching<Result, Target>
void atomic_fetch_xor(const Session& session, StreamRef stream, Result&& result, Target&& target,
                      const std::type_identity_t<detail::ElementOf<Target>>& value, int pe) {
    detail::submit_fetch<detail::AtomicKind::bit_xor>("atomic_fetch_xor", session, stream, result, target, value, pe);
}

}  // namespace CUBIND_NAMESPACE::nvshmem
