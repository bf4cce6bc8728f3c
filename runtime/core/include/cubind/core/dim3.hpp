// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

namespace cubind {

namespace detail {

[[noreturn]] void throw_extent_is_negative(long long value);
[[noreturn]] void throw_extent_is_too_large(unsigned long long value);

template <std::integral Integer>
constexpr unsigned int extent(Integer value) {
    if constexpr (std::signed_integral<Integer>) {
        if (value < 0) throw_extent_is_negative(value);
    }
    if constexpr (sizeof(Integer) > sizeof(unsigned int)) {
        const auto positive = static_cast<unsigned long long>(value);
        if (positive > ~0U) throw_extent_is_too_large(positive);
    }
    return static_cast<unsigned int>(value);
}

}  // namespace detail

/// The extents of a grid, a block or a cluster, from one to three numbers of any integer type: `256`, `{16, 16}`, `{n / 64, 1, 2}`. A
/// number that is negative or has more than 32 bits throws std::invalid_argument; what else is too large for the device, a launch says.
struct Dim3 {
    constexpr Dim3() = default;
    template <std::integral X, std::integral Y = unsigned int, std::integral Z = unsigned int>
    constexpr Dim3(X x_extent, Y y_extent = 1, Z z_extent = 1)
        : x(detail::extent(x_extent)), y(detail::extent(y_extent)), z(detail::extent(z_extent)) {}

    /// How many there are in all.
    constexpr unsigned long long count() const noexcept { return 1ull * x * y * z; }

    friend bool operator==(const Dim3&, const Dim3&) = default;

    unsigned int x = 1;
    unsigned int y = 1;
    unsigned int z = 1;
};

}  // namespace cubind
