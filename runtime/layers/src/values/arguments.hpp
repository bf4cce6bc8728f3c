// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

#include <cstdint>
#include <cstring>

#include "support/memory.hpp"

/// Access to the arguments of a call according to the spec. The targets of pointers are read only after a check that the process
/// can read them.
namespace CUBIND_NAMESPACE::layers {

using reflection::Direction;
using reflection::Kind;
using reflection::Parameter;
using reflection::Shape;
using reflection::Type;

inline bool is_pointer(const Parameter& parameter) noexcept {
    return parameter.type->kind == Kind::pointer;
}

/// Returns whether the parameter points to one object that the call only writes: a result and not an argument.
inline bool is_result(const Parameter& parameter) noexcept {
    return is_pointer(parameter) && parameter.direction == Direction::out && parameter.shape == Shape::value;
}

inline void* pointer_argument(const Call& call, std::size_t index) noexcept {
    return *static_cast<void**>(call.arguments[index]);
}

/// Bytes that a process can address.
inline constexpr unsigned long long max_addressable = 1ull << 47;

/// Returns the target of a pointer argument if the process can read `size` bytes there; otherwise null.
inline const std::byte* readable_target(const Call& call, std::size_t index, std::size_t size) noexcept {
    const void* const pointer = pointer_argument(call, index);
    return is_readable(pointer, size) ? static_cast<const std::byte*>(pointer) : nullptr;
}

/// Reads an integer of the type and extends it to 64 bits, with its sign if the type is signed.
inline unsigned long long read_integer(const Type& type, const void* data) noexcept {
    unsigned long long value = 0;
    const std::size_t size = type.size < sizeof value ? type.size : sizeof value;
    std::memcpy(&value, data, size);
    const bool has_sign = type.kind == Kind::signed_integer || type.kind == Kind::character || type.kind == Kind::enumeration;
    if (!has_sign || size == 0) return value;
    const std::size_t spare = 8 * (sizeof value - size);
    return static_cast<unsigned long long>(static_cast<long long>(value << spare) >> spare);
}

/// Reads a count from a parameter or, if it is a pointer, from its target. Returns false for a null or unreadable pointer.
bool count_argument(const Call& call, std::size_t index, unsigned long long& count) noexcept;

/// Computes the number of elements or bytes that a parameter points to. Returns false if the spec does not state it, a
/// pointer to a count is null or unreadable, or the product overflows.
bool length_of(const Call& call, const Parameter& parameter, unsigned long long& length) noexcept;

}  // namespace CUBIND_NAMESPACE::layers
