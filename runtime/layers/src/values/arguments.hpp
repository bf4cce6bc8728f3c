// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include <cubind/intercept.hpp>

/// What arguments of a call are, going by the spec.
namespace cubind::layers {

using reflection::Direction;
using reflection::Kind;
using reflection::Parameter;
using reflection::Shape;
using reflection::Type;

inline bool is_pointer(const Parameter& parameter) noexcept {
    return parameter.type->kind == Kind::pointer;
}

/// Whether the parameter points to one object that the call only writes: a result rather than an argument.
inline bool is_result(const Parameter& parameter) noexcept {
    return is_pointer(parameter) && parameter.direction == Direction::out && parameter.shape == Shape::value;
}

inline void* pointer_argument(const Call& call, std::size_t index) noexcept {
    return *static_cast<void**>(call.arguments[index]);
}

/// An integer of a type's size and kind, in 64 bits; its sign goes on where it has one.
inline unsigned long long read_integer(const Type& type, const void* data) noexcept {
    unsigned long long value = 0;
    const std::size_t size = type.size < sizeof value ? type.size : sizeof value;
    std::memcpy(&value, data, size);
    const bool has_sign = type.kind == Kind::signed_integer || type.kind == Kind::character || type.kind == Kind::enumeration;
    if (!has_sign || size == 0) return value;
    const std::size_t spare = 8 * (sizeof value - size);
    return static_cast<unsigned long long>(static_cast<long long>(value << spare) >> spare);
}

/// The value of a parameter that counts something: its own, or what it points to. False where it points nowhere.
bool count_argument(const Call& call, std::size_t index, unsigned long long& count) noexcept;

/// How many elements or bytes a parameter points to. False where that is not stated, or a count is behind a null pointer.
bool length_of(const Call& call, const Parameter& parameter, unsigned long long& length) noexcept;

}  // namespace cubind::layers
