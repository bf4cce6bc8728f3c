// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

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

bool is_unique(const Dimensions& shape, const Dimensions& strides) noexcept {
    if (element_count(shape) <= 1) return true;
    struct Axis {
        std::int64_t distance;
        std::int64_t last;  // the highest index
    };
    Axis axes[Dimensions::max_rank];
    std::size_t count = 0;
    std::int64_t reach = 0;  // from the lowest to the highest offset of the axes
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] == 1) continue;
        const Axis axis{std::abs(strides[i]), shape[i] - 1};
        if (axis.distance == 0) return false;
        reach += axis.distance * axis.last;
        axes[count++] = axis;
    }
    std::sort(axes, axes + count, [](const Axis& left, const Axis& right) { return left.distance < right.distance; });
    // An axis that steps over all elements of the others shares no element with them.
    for (; count != 0; --count) {
        const Axis& widest = axes[count - 1];
        const std::int64_t of_others = reach - widest.distance * widest.last;
        if (widest.distance <= of_others) break;
        reach = of_others;
    }
    if (count > 2) return false;
    if (count == 0) return true;
    // The offsets of two axes meet first at the least common multiple of their distances.
    const std::int64_t divisor = std::gcd(axes[0].distance, axes[1].distance);
    return axes[1].distance / divisor > axes[0].last || axes[0].distance / divisor > axes[1].last;
}

Dimensions stride_order(const Dimensions& shape, const Dimensions& strides) {
    std::int64_t order[Dimensions::max_rank];
    std::iota(order, order + shape.rank(), 0);
    // The magnitude of the lowest number fits only an unsigned type. Dimensions of one element can have any strides.
    const auto key = [&](std::int64_t dimension) {
        const std::int64_t stride = strides.begin()[dimension];
        const auto bits = static_cast<std::uint64_t>(stride);
        return std::pair(stride < 0 ? 0 - bits : bits, shape.begin()[dimension]);
    };
    std::stable_sort(order, order + shape.rank(), [&](std::int64_t left, std::int64_t right) { return key(left) > key(right); });
    return Dimensions(order, shape.rank());
}

Dimensions reversed(const Dimensions& dimensions) {
    Dimensions result;
    for (std::size_t i = dimensions.rank(); i-- > 0;) result.push_back(dimensions[i]);
    return result;
}

OffsetBounds check_layout(const Dimensions& shape, const Dimensions& strides, std::size_t element_size) {
    if (strides.rank() != shape.rank()) {
        throw_misuse("a view of shape ", to_string(shape), " has ", shape.rank(), " dimensions, and the strides ",
                     to_string(strides), " have ", strides.rank(), ": pass one stride for each dimension, or none");
    }
    bool is_empty = false;
    for (const std::int64_t extent : shape) {
        if (extent < 0) throw_misuse("a view of shape ", to_string(shape), ": an extent must not be negative");
        is_empty = is_empty || extent == 0;
    }
    if (is_empty) return {0, -1};
    OffsetBounds range;
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

void check_addresses(const void* data, const OffsetBounds& range, std::size_t element_size) {
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
