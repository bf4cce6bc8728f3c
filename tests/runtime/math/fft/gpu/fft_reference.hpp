// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transforms by their definition in double precision, and arrays of any type and strides on a GPU.

#include <cubind/core.hpp>
#include <cubind/cufft/loading.hpp>
#include <cubind/library.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace cubind::testing {

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;  // in row-major order of the shape

/// Skips a test without a GPU or cuFFT.
class FftGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (library_path(cufft::library()) == nullptr) GTEST_SKIP() << "cuFFT was not found";
        try {
            if (Device::count() == 0) GTEST_SKIP() << "there is no GPU";
        } catch (const Error&) {
            GTEST_SKIP() << "there is no driver";
        }
        std::printf("seed %u\n", seed_);
    }

    Numbers random(std::int64_t count, bool is_real) {
        std::uniform_real_distribution<double> distribution(-1, 1);
        Numbers numbers(static_cast<std::size_t>(count));
        for (Complex& each : numbers) each = {distribution(engine_), is_real ? 0 : distribution(engine_)};
        return numbers;
    }

private:
    const unsigned int seed_ = std::random_device()();
    std::mt19937 engine_{seed_};
};

inline std::int64_t size_of(const Dimensions& shape) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape) size *= extent;
    return size;
}

/// Calls `visit(index, offset)` for each element of the shape, with its number in row-major order and its offset in memory.
template <class Visit>
void for_each_element(const Dimensions& shape, const Dimensions& strides, const Visit& visit) {
    for (std::int64_t number = 0; number < size_of(shape); ++number) {
        std::int64_t rest = number, offset = 0;
        for (std::size_t i = shape.rank(); i-- > 0;) {
            offset += rest % shape[i] * strides[i];
            rest /= shape[i];
        }
        visit(static_cast<std::size_t>(number), offset);
    }
}

inline Dimensions dense_strides(const Dimensions& shape) {
    Dimensions strides = shape;
    std::int64_t stride = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        strides.set(i, stride);
        stride *= shape[i];
    }
    return strides;
}

/// Transforms along one dimension; sign is -1 or 1.
inline Numbers transformed(const Numbers& numbers, const Dimensions& shape, std::size_t dimension, int sign) {
    const std::int64_t n = shape[dimension], stride = dense_strides(shape)[dimension];
    Numbers result(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t k = static_cast<std::int64_t>(i) / stride % n;
        const std::size_t first = i - static_cast<std::size_t>(k * stride);
        for (std::int64_t j = 0; j < n; ++j) {
            const double angle = sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
            result[i] += numbers[first + static_cast<std::size_t>(j * stride)] * std::polar(1.0, angle);
        }
    }
    return result;
}

inline Numbers transformed(Numbers numbers, const Dimensions& shape, const Dimensions& axes, int sign) {
    for (const std::int64_t axis : axes) numbers = transformed(numbers, shape, static_cast<std::size_t>(axis), sign);
    return numbers;
}

/// Returns the first half of a dimension of n elements, which has n / 2 + 1.
inline Numbers first_half(const Numbers& numbers, const Dimensions& shape, std::size_t dimension) {
    Numbers result;
    const std::int64_t stride = dense_strides(shape)[dimension];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (static_cast<std::int64_t>(i) / stride % shape[dimension] <= shape[dimension] / 2) result.push_back(numbers[i]);
    }
    return result;
}

/// Returns the bits of a half for a number whose magnitude is 0 or from 2^-14 to 65504; smaller ones become 0.
inline std::uint16_t half_of(double number) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(number) ? 0x8000 : 0);
    const double magnitude = std::fabs(number);
    if (magnitude < 0x1p-14) return sign;
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);  // from 0.5 to below 1
    const auto mantissa = static_cast<int>(std::nearbyint(std::ldexp(fraction, 11)));
    return static_cast<std::uint16_t>(sign + ((exponent + 13) << 10) + mantissa);  // the hidden bit raises the exponent
}

inline double double_of(std::uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Stores and loads the real numbers of elements.
struct Part {
    static void store(unsigned int bits, std::byte* at, double value) {
        if (bits == 16) {
            const std::uint16_t half = half_of(value);
            std::memcpy(at, &half, sizeof half);
        } else if (bits == 32) {
            const auto single = static_cast<float>(value);
            std::memcpy(at, &single, sizeof single);
        } else {
            std::memcpy(at, &value, sizeof value);
        }
    }
    static double load(unsigned int bits, const std::byte* at) {
        std::uint16_t half = 0;
        float single = 0;
        double value = 0;
        if (bits == 16) return std::memcpy(&half, at, sizeof half), double_of(half);
        if (bits == 32) return std::memcpy(&single, at, sizeof single), static_cast<double>(single);
        return std::memcpy(&value, at, sizeof value), value;
    }
};

/// An array in memory of the device.
class DeviceArray {
public:
    /// Allocates the array, or views the memory of another one.
    DeviceArray(StreamRef stream, DataType type, const Dimensions& shape, const Dimensions& strides, const DeviceArray* memory)
        : type_(type), shape_(shape), strides_(strides.rank() == 0 ? dense_strides(shape) : strides) {
        std::int64_t last = 0;
        for (std::size_t i = 0; i < shape_.rank(); ++i) last += (shape_[i] - 1) * strides_[i];
        size_ = static_cast<std::size_t>(last + 1) * type.size();
        // In place, a real row has more room than its elements.
        buffer_ = memory != nullptr ? memory->buffer_ : std::make_shared<Buffer>(Device().allocate(stream, 2 * size_ + 256));
        buffer_size_ = buffer_->size();
    }

    [[nodiscard]] StridedView view() const { return StridedView(*buffer_, type_, shape_, strides_); }

    void store(StreamRef stream, const Numbers& numbers) {
        std::vector<std::byte> bytes(buffer_size_);
        for_each_element(shape_, strides_, [&](std::size_t number, std::int64_t offset) {
            std::byte* const at = bytes.data() + static_cast<std::size_t>(offset) * type_.size();
            Part::store(bits(), at, numbers[number].real());
            if (is_complex()) Part::store(bits(), at + bits() / 8, numbers[number].imag());
        });
        copy(stream, *buffer_, bytes);
        stream.synchronize();
    }
    [[nodiscard]] Numbers load(StreamRef stream) const {
        std::vector<std::byte> bytes(buffer_size_);
        copy(stream, bytes, *buffer_);
        stream.synchronize();
        Numbers numbers(static_cast<std::size_t>(size_of(shape_)));
        for_each_element(shape_, strides_, [&](std::size_t number, std::int64_t offset) {
            const std::byte* const at = bytes.data() + static_cast<std::size_t>(offset) * type_.size();
            numbers[number] = {Part::load(bits(), at), is_complex() ? Part::load(bits(), at + bits() / 8) : 0};
        });
        return numbers;
    }

private:
    [[nodiscard]] bool is_complex() const { return type_.kind == DataTypeKind::complex; }
    [[nodiscard]] unsigned int bits() const { return is_complex() ? type_.bits / 2u : type_.bits; }

    DataType type_;
    Dimensions shape_;
    Dimensions strides_;
    std::size_t size_ = 0;
    std::size_t buffer_size_ = 0;
    std::shared_ptr<Buffer> buffer_;
};

/// Expects that the norm of the difference is below `limit` times the norm of the expected numbers.
inline void expect_near(const Numbers& found, const Numbers& expected, double limit, const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        difference += std::norm(found[i] - expected[i]);
        norm += std::norm(expected[i]);
    }
    EXPECT_LT(std::sqrt(difference), limit * std::sqrt(norm)) << what << ": relative error " << std::sqrt(difference / norm);
}

}  // namespace cubind::testing
