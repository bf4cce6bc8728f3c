// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <complex>
#include <concepts>

/// @file
/// Factors of operations.

namespace CUBIND_NAMESPACE::math {

/// A real or complex factor in memory of the host, such as alpha and beta of a product. It is converted to the type in which the
/// operation computes.
class Scalar {
public:
    /// Converts a real number.
    template <class Number>
    requires std::floating_point<Number> || std::integral<Number>
    constexpr Scalar(Number value) noexcept : value_(static_cast<double>(value)) {}
    /// Converts a complex number.
    template <std::floating_point Number>
    constexpr Scalar(std::complex<Number> value) noexcept
        : value_(static_cast<double>(value.real()), static_cast<double>(value.imag())) {}

    /// Returns the number.
    [[nodiscard]] constexpr std::complex<double> value() const noexcept { return value_; }
    /// Returns whether the number is 0.
    [[nodiscard]] constexpr bool is_zero() const noexcept { return value_ == std::complex<double>(); }

private:
    std::complex<double> value_;
};

}  // namespace CUBIND_NAMESPACE::math
