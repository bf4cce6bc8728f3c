// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <concepts>

namespace CUBIND_NAMESPACE {

namespace detail {

[[noreturn]] CUBIND_EXPORT void throw_extent_is_negative(long long value);
[[noreturn]] CUBIND_EXPORT void throw_extent_is_too_large(unsigned long long value);
[[noreturn]] CUBIND_EXPORT void throw_count_is_negative(long long count);
[[noreturn]] CUBIND_EXPORT void throw_block_size_is_not_positive(long long block_size);
[[noreturn]] CUBIND_EXPORT void throw_too_many_blocks(unsigned long long blocks, unsigned long long count,
                                                      unsigned long long block_size);

/// The largest number of blocks that any device accepts in grid.x.
CUBIND_HIDDEN inline constexpr unsigned int max_blocks = 0x7fffffff;

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

/// The extents of a grid, a block or a cluster, from one to three numbers of any integer type: `256`, `{16, 16}`,
/// `{n / 64, 1, 2}`. The launch checks the limits of the device.
struct Dim3 {
    /// Creates {1, 1, 1}.
    constexpr Dim3() = default;
    /// Converts the numbers. Throws std::invalid_argument for a number that is negative or has more than 32 bits.
    template <std::integral X, std::integral Y = unsigned int, std::integral Z = unsigned int>
    constexpr Dim3(X x_extent, Y y_extent = 1, Z z_extent = 1)
        : x(detail::extent(x_extent)), y(detail::extent(y_extent)), z(detail::extent(z_extent)) {}

    /// Returns the product of the extents.
    [[nodiscard]] constexpr unsigned long long count() const noexcept { return 1ull * x * y * z; }

    /// Compares all extents.
    friend bool operator==(const Dim3&, const Dim3&) = default;

    unsigned int x = 1;  ///< extent along x
    unsigned int y = 1;  ///< extent along y
    unsigned int z = 1;  ///< extent along z
};

/// Returns the number of blocks of `block_size` threads that gives each of `count` elements one thread: count / block_size,
/// rounded up. Both may be of any integer type. Throws std::invalid_argument with the values for a negative count, for a block
/// size that is not positive, and for more than 2^31 - 1 blocks, which no device accepts in grid.x.
///
///     launch(stream, {.grid = blocks_for(n, 256), .block = 256}, kernel, x, n);
template <std::integral Count, std::integral BlockSize>
[[nodiscard]] constexpr unsigned int blocks_for(Count count, BlockSize block_size) {
    if constexpr (std::signed_integral<Count>) {
        if (count < 0) detail::throw_count_is_negative(count);
    }
    if (block_size <= 0) detail::throw_block_size_is_not_positive(static_cast<long long>(block_size));
    const auto elements = static_cast<unsigned long long>(count);
    const auto threads = static_cast<unsigned long long>(block_size);
    const unsigned long long blocks = elements / threads + (elements % threads == 0 ? 0 : 1);
    if (blocks > detail::max_blocks) detail::throw_too_many_blocks(blocks, elements, threads);
    return static_cast<unsigned int>(blocks);
}

}  // namespace CUBIND_NAMESPACE
