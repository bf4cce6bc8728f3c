// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers of all types on the host, as complex numbers of double precision, and arrays of them on the device.

#include <cubind/core.hpp>
#include <cubind/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace cubind::testing {

using Numbers = std::vector<std::complex<double>>;

/// Returns whether there is a GPU, and a driver.
inline bool has_gpu() {
    try {
        return Device::count() > 0;
    } catch (const Error&) {
        return false;
    }
}

/// How a floating-point number of few bits stores its parts.
struct SmallFloat {
    int exponent_bits, mantissa_bits;

    [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] double decode(std::uint32_t bits) const {
        const auto exponent = static_cast<int>(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
        const auto mantissa = static_cast<double>(bits & ((1u << mantissa_bits) - 1));
        const double one = std::ldexp(1, mantissa_bits);
        const double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias() - mantissa_bits)
                                           : std::ldexp(one + mantissa, exponent - bias() - mantissa_bits);
        return (bits >> (exponent_bits + mantissa_bits) & 1) != 0 ? -value : value;
    }
    /// Rounds to the nearest number. It must be within the range.
    [[nodiscard]] std::uint32_t encode(double value) const {
        const std::uint32_t sign = std::signbit(value) ? 1u << (exponent_bits + mantissa_bits) : 0;
        const double magnitude = std::abs(value);
        int exponent = magnitude == 0 ? 1 - bias() : std::max(std::ilogb(magnitude), 1 - bias());
        double steps = std::nearbyint(std::ldexp(magnitude, mantissa_bits - exponent));
        if (steps == std::ldexp(2, mantissa_bits)) {
            steps /= 2;
            ++exponent;
        }
        const auto whole = static_cast<std::uint32_t>(steps);
        if (whole < 1u << mantissa_bits) return sign | whole;
        return sign | static_cast<std::uint32_t>(exponent + bias()) << mantissa_bits | (whole - (1u << mantissa_bits));
    }
};

inline SmallFloat small_float(DataType type) {
    switch (type.kind) {
        case DataTypeKind::bfloat:
            return {8, 7};
        case DataTypeKind::float8_e4m3fn:
            return {4, 3};
        case DataTypeKind::float8_e5m2:
            return {5, 2};
        default:
            return {5, 10};
    }
}

/// Calls `visit` with a number of the C++ type, if there is one for this type.
template <class Visit>
bool visit_type(DataType type, const Visit& visit) {
    if (type == data_type<float>) return visit(float()), true;
    if (type == data_type<double>) return visit(double()), true;
    if (type == data_type<std::complex<float>>) return visit(std::complex<float>()), true;
    if (type == data_type<std::complex<double>>) return visit(std::complex<double>()), true;
    if (type == data_type<std::int8_t>) return visit(std::int8_t()), true;
    if (type == data_type<std::int32_t>) return visit(std::int32_t()), true;
    return false;
}

inline void encode(DataType type, std::complex<double> value, std::byte* bytes) {
    const bool known = visit_type(type, [&]<class Number>(Number number) {
        if constexpr (std::is_arithmetic_v<Number>) {
            number = static_cast<Number>(value.real());
        } else {
            number = Number(static_cast<typename Number::value_type>(value.real()),
                            static_cast<typename Number::value_type>(value.imag()));
        }
        std::memcpy(bytes, &number, sizeof number);
    });
    if (known) return;
    const std::uint32_t bits = small_float(type).encode(value.real());
    std::memcpy(bytes, &bits, type.size());
}

inline std::complex<double> decode(DataType type, const std::byte* bytes) {
    std::complex<double> value;
    const bool known = visit_type(type, [&]<class Number>(Number number) {
        std::memcpy(&number, bytes, sizeof number);
        if constexpr (std::is_arithmetic_v<Number>) {
            value = static_cast<double>(number);
        } else {
            value = std::complex<double>(number);
        }
    });
    if (known) return value;
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes, type.size());
    return small_float(type).decode(bits);
}

/// Random numbers of a type, from -1 to 1, or integers from -8 to 8. The seed, of CUBIND_TEST_SEED or random, is printed.
class RandomNumbers {
public:
    Numbers operator()(std::size_t count, DataType type) {
        std::uniform_real_distribution<double> real(-1, 1);
        std::uniform_int_distribution<int> whole(-8, 8);
        const bool is_integer = type.kind == DataTypeKind::signed_integer;
        Numbers numbers(count);
        for (std::complex<double>& each : numbers) {
            each = is_integer ? whole(generator_) : real(generator_);
            if (type.kind == DataTypeKind::complex) each.imag(real(generator_));
            std::byte bytes[16] = {};
            encode(type, each, bytes);
            each = decode(type, bytes);  // rounded
        }
        return numbers;
    }

private:
    static unsigned int seed() {
        const char* const given = std::getenv("CUBIND_TEST_SEED");
        const unsigned int value = given != nullptr ? static_cast<unsigned int>(std::atol(given)) : std::random_device()();
        std::cout << "CUBIND_TEST_SEED=" << value << '\n';
        return value;
    }
    std::mt19937 generator_{seed()};
};

/// Returns the offset of an element, whose index counts in row-major order, in elements.
inline std::int64_t offset_of(std::size_t index, const Dimensions& shape, const Dimensions& strides) {
    std::int64_t offset = 0;
    auto rest = static_cast<std::int64_t>(index);
    for (std::size_t i = shape.rank(); i-- > 0; rest /= shape[i]) offset += rest % shape[i] * strides[i];
    return offset;
}

/// Copies numbers, in row-major order, to new memory of the device with these strides. Elements of gaps are 0.
inline StridedView uploaded(const Stream& stream, const Numbers& numbers, DataType type, const Dimensions& shape,
                            const Dimensions& strides) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < shape.rank(); ++i) last += (shape[i] - 1) * strides[i];
    std::vector<std::byte> bytes(static_cast<std::size_t>(last + 1) * type.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        encode(type, numbers[i], bytes.data() + static_cast<std::size_t>(offset_of(i, shape, strides)) * type.size());
    Buffer buffer = stream.device().allocate(stream, bytes.size());
    copy(stream, buffer, bytes);
    stream.synchronize();
    return StridedView(buffer, type, shape, strides);
}

/// Returns the elements in row-major order. The view must begin at its lowest address.
inline Numbers downloaded(const Stream& stream, const StridedView& view) {
    std::vector<std::byte> bytes(view.required_size_bytes());
    stream.synchronize();
    copy(stream, std::span(bytes), std::span(static_cast<const std::byte*>(view.data()), bytes.size()));
    stream.synchronize();
    Numbers numbers(view.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t offset = offset_of(i, view.shape(), view.strides());
        numbers[i] = decode(view.dtype(), bytes.data() + static_cast<std::size_t>(offset) * view.dtype().size());
    }
    return numbers;
}

/// Returns the norm of the difference over the norm of the expected numbers.
inline double relative_error(const Numbers& computed, const Numbers& expected) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += std::norm(computed.at(i) - expected[i]);
        norm += std::norm(expected[i]);
    }
    return norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
}

}  // namespace cubind::testing
