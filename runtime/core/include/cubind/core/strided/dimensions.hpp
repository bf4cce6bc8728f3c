// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace CUBIND_NAMESPACE {

namespace detail {

[[noreturn]] CUBIND_EXPORT void throw_too_many_dimensions_of_view(std::size_t count);
[[noreturn]] CUBIND_EXPORT void throw_no_dimension(std::size_t dimension, std::size_t rank);

}  // namespace detail

/// One number for each of up to 16 dimensions: the shape or the strides of a StridedView. The outermost dimension comes first.
/// `{64, 256}` is the shape of a matrix of 64 rows of 256 elements.
class Dimensions {
public:
    /// The highest number of dimensions.
    CUBIND_HIDDEN static constexpr std::size_t max_rank = 16;

    /// Creates an object without dimensions.
    constexpr Dimensions() noexcept = default;
    /// Sets the number of each dimension. Throws std::invalid_argument for more than 16.
    constexpr Dimensions(std::initializer_list<std::int64_t> values) {
        for (const std::int64_t value : values) push_back(value);
    }
    /// Copies `count` numbers. Throws std::invalid_argument for more than 16.
    constexpr Dimensions(const std::int64_t* values, std::size_t count) {
        if (count > max_rank) detail::throw_too_many_dimensions_of_view(count);
        for (std::size_t i = 0; i < count; ++i) push_back(values[i]);
    }

    /// Returns the number of dimensions.
    [[nodiscard]] constexpr std::size_t rank() const noexcept { return rank_; }
    /// Returns the number of a dimension. Throws std::invalid_argument if there is no such dimension.
    [[nodiscard]] constexpr std::int64_t operator[](std::size_t dimension) const {
        if (dimension >= rank_) detail::throw_no_dimension(dimension, rank_);
        return values_[dimension];
    }
    /// Returns the address of the first number.
    [[nodiscard]] constexpr const std::int64_t* begin() const noexcept { return values_; }
    /// Returns the address after the last number.
    [[nodiscard]] constexpr const std::int64_t* end() const noexcept { return values_ + rank_; }

    /// Appends a dimension. Throws std::invalid_argument if there are 16.
    constexpr void push_back(std::int64_t value) {
        if (rank_ == max_rank) detail::throw_too_many_dimensions_of_view(rank_ + 1);
        values_[rank_++] = value;
    }
    /// Sets the number of a dimension. Throws std::invalid_argument if there is no such dimension.
    constexpr void set(std::size_t dimension, std::int64_t value) {
        if (dimension >= rank_) detail::throw_no_dimension(dimension, rank_);
        values_[dimension] = value;
    }

    /// Returns whether both have the same numbers.
    [[nodiscard]] friend constexpr bool operator==(const Dimensions& left, const Dimensions& right) noexcept {
        if (left.rank_ != right.rank_) return false;
        for (std::size_t i = 0; i < left.rank_; ++i) {
            if (left.values_[i] != right.values_[i]) return false;
        }
        return true;
    }

private:
    std::int64_t values_[max_rank] = {};
    std::size_t rank_ = 0;
};

/// The offsets of the elements of a view, in elements from the element at index 0 of each dimension.
struct OffsetBounds {
    std::int64_t lowest = 0;   ///< the lowest offset, which is negative only if a stride is
    std::int64_t highest = 0;  ///< the highest offset, or -1 if there are no elements

    /// Returns whether both are equal.
    [[nodiscard]] friend constexpr bool operator==(const OffsetBounds&, const OffsetBounds&) noexcept = default;
};

/// Returns the numbers in parentheses: "(64, 256)".
[[nodiscard]] CUBIND_EXPORT std::string to_string(const Dimensions& dimensions);

}  // namespace CUBIND_NAMESPACE
