// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "math_test.hpp"
#include "operand/native_type.hpp"

namespace cubind::testing {
namespace {

using namespace runtime;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class Number>
Number converted(math::Scalar scalar, cudaDataType type) {
    const math::detail::NativeScalar native("product", "alpha", scalar, type);
    Number number;
    std::memcpy(&number, native.data(), sizeof number);
    return number;
}

std::string refused(math::Scalar scalar, cudaDataType type) {
    return message_of<std::invalid_argument>([&] { math::detail::NativeScalar("product", "alpha", scalar, type); });
}

/// Returns the value of a finite half.
double value_of_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = (bits & 1023) / 1024.0;
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Returns the nearest half by a search of all positive ones; of two that are equally near, the one whose last bit is 0.
std::uint16_t nearest_half(double magnitude) {
    static const std::vector<double> all = [] {
        std::vector<double> values;
        for (std::uint16_t bits = 0; bits < 0x7c00; ++bits) values.push_back(value_of_half(bits));
        values.push_back(65536);  // where infinity would be
        return values;
    }();
    const auto above = std::ranges::lower_bound(all, magnitude);
    if (above == all.end()) return 0x7c00;
    const auto index = static_cast<std::uint16_t>(above - all.begin());
    if (index == 0) return 0;
    const double up = *above - magnitude, down = magnitude - all[index - 1u];
    if (up == down) return index % 2 == 0 ? index : static_cast<std::uint16_t>(index - 1);
    return up < down ? index : static_cast<std::uint16_t>(index - 1);
}

TEST(NativeTypeTest, KnowsTheTypesOfLibraries) {
    using math::detail::find_native_type;
    EXPECT_EQ(find_native_type(data_type<float>), CUDA_R_32F);
    EXPECT_EQ(find_native_type(data_type<double>), CUDA_R_64F);
    EXPECT_EQ(find_native_type(DataType::float16()), CUDA_R_16F);
    EXPECT_EQ(find_native_type(DataType::bfloat16()), CUDA_R_16BF);
    EXPECT_EQ(find_native_type(data_type<std::complex<float>>), CUDA_C_32F);
    EXPECT_EQ(find_native_type(data_type<std::complex<double>>), CUDA_C_64F);
    EXPECT_EQ(find_native_type(data_type<signed char>), CUDA_R_8I);
    EXPECT_EQ(find_native_type(data_type<std::byte>), CUDA_R_8U);
    EXPECT_EQ(find_native_type({DataTypeKind::float8_e4m3fn, 8}), CUDA_R_8F_E4M3);
    EXPECT_EQ(find_native_type({DataTypeKind::float8_e5m2, 8}), CUDA_R_8F_E5M2);
    EXPECT_EQ(find_native_type({DataTypeKind::float8_e8m0fnu, 8}), CUDA_R_8F_UE8M0);
    EXPECT_EQ(find_native_type({DataTypeKind::float4_e2m1fn, 4, 2}), CUDA_R_4F_E2M1) << "two numbers in a byte";
    EXPECT_EQ(find_native_type(data_type<bool>), std::nullopt);
    EXPECT_EQ(find_native_type({DataTypeKind::floating_point, 128}), std::nullopt);
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)math::detail::native_type("product", "b", data_type<bool>); }),
                AllOf(HasSubstr("product: b"), HasSubstr("bool")));
}

TEST(NativeTypeTest, ConvertsFactors) {
    EXPECT_EQ(converted<float>(0.1, CUDA_R_32F), 0.1f);
    EXPECT_EQ(converted<double>(0.1, CUDA_R_64F), 0.1);
    EXPECT_EQ(converted<double>(0.1f, CUDA_R_64F), 0.1f);
    EXPECT_EQ(converted<std::complex<float>>(std::complex(0.1, -2.0), CUDA_C_32F), std::complex(0.1f, -2.0f));
    EXPECT_EQ(converted<std::complex<double>>(3, CUDA_C_64F), std::complex(3.0, 0.0));
    EXPECT_EQ(converted<std::int32_t>(-7, CUDA_R_32I), -7);
    EXPECT_EQ(converted<std::int32_t>(std::numeric_limits<std::int32_t>::min(), CUDA_R_32I),
              std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(converted<std::int32_t>(std::numeric_limits<std::int32_t>::max(), CUDA_R_32I),
              std::numeric_limits<std::int32_t>::max());
    EXPECT_TRUE(std::isnan(converted<float>(std::nan(""), CUDA_R_32F)));
    EXPECT_TRUE(math::Scalar(0).is_zero());
    EXPECT_TRUE(math::Scalar(-0.0).is_zero());
    EXPECT_FALSE(math::Scalar(std::complex(0.0, 1.0)).is_zero());
}

TEST(NativeTypeTest, RefusesFactorsThatTheTypeLacks) {
    EXPECT_THAT(refused(std::complex(1.0, 2.5), CUDA_R_32F), AllOf(HasSubstr("product: alpha"), HasSubstr("2.5")));
    EXPECT_THAT(refused(0.5, CUDA_R_32I), HasSubstr("0.5"));
    EXPECT_THAT(refused(2147483648.0, CUDA_R_32I), HasSubstr("2147483648"));
    EXPECT_THAT(refused(-2147483649.0, CUDA_R_32I), HasSubstr("integers of 32 bits"));
    EXPECT_THAT(refused(std::nan(""), CUDA_R_32I), HasSubstr("nan"));
    EXPECT_THAT(refused(1, CUDA_R_8I), HasSubstr("3"));
}

TEST(NativeTypeTest, RoundsEachHalfToItself) {
    for (std::uint16_t bits = 0; bits < 0x7c00; ++bits) {
        ASSERT_EQ(converted<std::uint16_t>(value_of_half(bits), CUDA_R_16F), bits);
        ASSERT_EQ(converted<std::uint16_t>(-value_of_half(bits), CUDA_R_16F), bits | 0x8000);
    }
}

TEST(NativeTypeTest, RoundsToTheNearestHalf) {
    // Between each half and the next one, the middle and its neighbours, which a float in between would round to the middle.
    for (std::uint16_t bits = 0; bits < 0x7c00; ++bits) {
        const double low = value_of_half(bits),
                     high = bits == 0x7bff ? 65536 : value_of_half(static_cast<std::uint16_t>(bits + 1));
        const double middle = (low + high) / 2;
        for (const double value : {middle, std::nextafter(middle, 0), std::nextafter(middle, 1e9), low + (high - low) / 4})
            ASSERT_EQ(converted<std::uint16_t>(value, CUDA_R_16F), nearest_half(value)) << value;
    }
    const auto seed = std::random_device()();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> exponents(-30, 17);
    for (int i = 0; i < 10000; ++i) {
        const double value = std::exp2(exponents(random));
        ASSERT_EQ(converted<std::uint16_t>(value, CUDA_R_16F), nearest_half(value)) << value << ", seed " << seed;
    }
}

TEST(NativeTypeTest, ConvertsSpecialValuesToHalf) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(converted<std::uint16_t>(infinity, CUDA_R_16F), 0x7c00);
    EXPECT_EQ(converted<std::uint16_t>(-infinity, CUDA_R_16F), 0xfc00);
    EXPECT_EQ(converted<std::uint16_t>(1e300, CUDA_R_16F), 0x7c00);
    EXPECT_EQ(converted<std::uint16_t>(-0.0, CUDA_R_16F), 0x8000);
    EXPECT_EQ(converted<std::uint16_t>(std::numeric_limits<double>::denorm_min(), CUDA_R_16F), 0);
    EXPECT_EQ(converted<std::uint16_t>(std::nan(""), CUDA_R_16F) & 0x7e00, 0x7e00);
}

}  // namespace
}  // namespace cubind::testing
