// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/layout.hpp"

#include <limits>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

constexpr std::int64_t max_offset = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void throw_too_large(const Dimensions& shape, const Dimensions& strides, std::size_t element_size) {
    throw_misuse("a view of shape ", to_string(shape), " with strides ", to_string(strides), " and elements of ", element_size,
                 " bytes is too large: sizes and distances are less than ", max_offset / 2, " bytes");
}

// Returns the only number of bits that numbers of the kind can have, or 0 if there are several.
unsigned int fixed_bits(DataTypeKind kind) {
    switch (kind) {
        case DataTypeKind::signed_integer:
        case DataTypeKind::unsigned_integer:
        case DataTypeKind::floating_point:
        case DataTypeKind::opaque_handle:
        case DataTypeKind::complex:
            return 0;
        case DataTypeKind::bfloat:
            return 16;
        case DataTypeKind::float6_e2m3fn:
        case DataTypeKind::float6_e3m2fn:
            return 6;
        case DataTypeKind::float4_e2m1fn:
            return 4;
        default:
            return 8;
    }
}

}  // namespace

std::size_t element_count(const Dimensions& shape) noexcept {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    return count;
}

Dimensions row_major_strides(const Dimensions& shape) {
    Dimensions strides = shape;
    std::int64_t distance = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        strides.set(i, distance);
        if (shape[i] > 1 && __builtin_mul_overflow(distance, shape[i], &distance)) throw_too_large(shape, {}, 1);
    }
    return strides;
}

bool is_row_major(const Dimensions& shape, const Dimensions& strides) noexcept {
    if (element_count(shape) <= 1) return true;
    std::int64_t distance = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        if (shape[i] == 1) continue;
        if (strides[i] != distance) return false;
        distance *= shape[i];
    }
    return true;
}

Dimensions reversed(const Dimensions& dimensions) {
    Dimensions result;
    for (std::size_t i = dimensions.rank(); i-- > 0;) result.push_back(dimensions[i]);
    return result;
}

OffsetRange check_layout(const Dimensions& shape, const Dimensions& strides, std::size_t element_size) {
    if (strides.rank() != shape.rank()) {
        throw_misuse("a view of shape ", to_string(shape), " has ", shape.rank(), " dimensions, and the strides ",
                     to_string(strides), " have ", strides.rank(), ": pass one stride for each dimension, or none");
    }
    bool is_empty = false;
    for (const std::int64_t extent : shape) {
        if (extent < 0) throw_misuse("a view of shape ", to_string(shape), ": an extent must not be negative");
        is_empty = is_empty || extent == 0;
    }
    if (is_empty) return {};
    OffsetRange range;
    auto size = static_cast<std::int64_t>(element_size);
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        std::int64_t distance = 0;
        if (__builtin_mul_overflow(size, shape[i], &size) || __builtin_mul_overflow(shape[i] - 1, strides[i], &distance)) {
            throw_too_large(shape, strides, element_size);
        }
        auto& bound = distance < 0 ? range.lowest : range.highest;
        if (__builtin_add_overflow(bound, distance, &bound)) throw_too_large(shape, strides, element_size);
    }
    const auto limit = max_offset / 2 / static_cast<std::int64_t>(element_size);
    if (range.highest >= limit || range.lowest <= -limit) throw_too_large(shape, strides, element_size);
    return range;
}

void check_addresses(const void* data, const OffsetRange& range, std::size_t element_size) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t below = static_cast<std::uintptr_t>(-range.lowest) * element_size;
    const std::uintptr_t above = (static_cast<std::uintptr_t>(range.highest) + 1) * element_size;
    if (below <= address && above <= std::numeric_limits<std::uintptr_t>::max() - address) return;
    throw_misuse("a view of the address ", address, " with elements from ", below, " bytes before it to ", above,
                 " bytes after it exceeds the address space");
}

void check_type(DataType type, bool is_padded) {
    if (type.bits == 0 || type.lanes == 0) {
        throw_misuse("a data type of ", type.bits, " bits and ", type.lanes, " lanes has no elements: both must be at least 1");
    }
    const unsigned int expected = fixed_bits(type.kind);
    if (expected != 0 && type.bits != expected) {
        throw_misuse("a data type ", to_string(type), " of ", type.bits, " bits: its numbers have ", expected, " bits");
    }
    if ((std::size_t{type.bits} * type.lanes) % 8 == 0) return;
    if (is_padded && type.lanes == 1 && type.bits < 8) return;
    throw_misuse("elements of ", std::size_t{type.bits} * type.lanes, " bits (", to_string(type),
                 ") share bytes and have no addresses: use lanes that fill whole bytes, such as 2 lanes of 4 bits");
}

}  // namespace CUBIND_NAMESPACE::detail
