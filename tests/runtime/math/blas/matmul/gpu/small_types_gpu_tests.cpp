// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Products of numbers of 8 and 4 bits on a device that has them.
#include <cubind/math/matmul.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

#include "matmul_gpu.hpp"

namespace cubind::testing {
namespace {

constexpr std::int64_t rows = 64, columns = 48, depth = 256;
constexpr DataType e4m3{DataTypeKind::float8_e4m3fn, 8, 1};
constexpr DataType e5m2{DataTypeKind::float8_e5m2, 8, 1};
constexpr DataType e8m0{DataTypeKind::float8_e8m0fnu, 8, 1};
constexpr DataType fp4{DataTypeKind::float4_e2m1fn, 4, 2};

class SmallTypesGpuTest : public MatmulGpuTest {
protected:
    void SetUp() override {
        MatmulGpuTest::SetUp();
        if (IsSkipped()) return;
        const ComputeCapability capability = Device(0).compute_capability();
        if (capability < ComputeCapability{8, 9}) GTEST_SKIP() << "the device has no 8-bit floating-point numbers";
    }
    StridedView factor(double value) { return vector({value}, data_type<float>); }
};

TEST_F(SmallTypesGpuTest, MultipliesWithScales) {
    struct Case {
        DataType a, b, d;
        double tolerance;
    };
    for (const Case& each : {Case{e4m3, e4m3, DataType::bfloat16(), 8e-3}, Case{e4m3, e5m2, DataType::bfloat16(), 8e-3},
                             Case{e5m2, e4m3, DataType::float16(), 2e-3}, Case{e4m3, e4m3, data_type<float>, 2e-3}}) {
        for (const bool is_column_major : {false, true}) {
            SCOPED_TRACE(to_string(each.a) + " @ " + to_string(each.b) + " = " + to_string(each.d) +
                         (is_column_major ? ", column-major" : ""));
            const Numbers a = random_(rows * depth, each.a), b = random_(depth * columns, each.b);
            Numbers expected = product_of(a, b, rows, columns, depth);
            for (std::complex<double>& number : expected) number *= 0.5 * 0.25;
            const StridedView d = zeros(each.d, rows, columns, {is_column_major});
            math::matmul(stream(), matrix(a, each.a, rows, depth), matrix(b, each.b, depth, columns, {true}), d,
                         {.a_scale = factor(0.5), .b_scale = factor(0.25)});
            EXPECT_LE(relative_error(values(d), expected), each.tolerance);
        }
    }
}

TEST_F(SmallTypesGpuTest, RoundsResultsToEightBits) {
    const Numbers a = random_(rows * depth, e4m3), b = random_(depth * columns, e4m3),
                  bias = random_(columns, DataType::bfloat16());
    Numbers expected = product_of(a, b, rows, columns, depth);
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] += bias[i % columns];
        largest = std::max(largest, std::abs(expected[i]));
        expected[i] *= 4;
    }
    const StridedView d = zeros(e4m3, rows, columns), amax = factor(0);
    math::matmul(stream(), matrix(a, e4m3, rows, depth), matrix(b, e4m3, depth, columns, {true}), d,
                 {.bias = vector(bias, DataType::bfloat16()), .d_scale = factor(4), .d_amax = amax});
    EXPECT_LE(relative_error(values(d), expected), 0.06);  // a number has 3 bits of mantissa
    EXPECT_NEAR(values(amax)[0].real(), largest, 1e-2 * largest);
}

TEST_F(SmallTypesGpuTest, ScalesEachRowAndColumnIfTheLibraryCan) {
    const Numbers a = random_(rows * depth, e4m3), b = random_(depth * columns, e4m3);
    Numbers of_rows = random_(rows, data_type<float>), of_columns = random_(columns, data_type<float>),
            expected = product_of(a, b, rows, columns, depth);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= of_rows[i / columns] * of_columns[i % columns];
    const StridedView d = zeros(DataType::bfloat16(), rows, columns);
    const bool supported = is_supported([&] {
        math::matmul(stream(), matrix(a, e4m3, rows, depth), matrix(b, e4m3, depth, columns, {true}), d,
                     {.a_scale = vector(of_rows, data_type<float>), .b_scale = vector(of_columns, data_type<float>)});
    });
    if (!supported) GTEST_SKIP() << "the library or the device has no scales for rows and columns";
    EXPECT_LE(relative_error(values(d), expected), 8e-3);
}

TEST_F(SmallTypesGpuTest, ScalesBlocksOrStatesThatTheDeviceCannot) {
    const Numbers a = random_(rows * depth, e4m3), b = random_(depth * columns, e4m3);
    const auto factors = [&](std::int64_t outer) {
        // Each factor is 2^-1; the format stores the exponent with a bias of 127.
        const auto count = static_cast<std::size_t>(math::block_scale_count(outer, depth / 32));
        Buffer buffer = Device(0).allocate(stream(), count);
        buffer.fill(stream(), std::uint8_t{126});
        return StridedView(buffer, e8m0, {static_cast<std::int64_t>(count)});
    };
    Numbers expected = product_of(a, b, rows, columns, depth);
    for (std::complex<double>& each : expected) each *= 0.25;
    const StridedView d = zeros(DataType::bfloat16(), rows, columns);
    const auto multiply = [&] {
        math::matmul(stream(), matrix(a, e4m3, rows, depth), matrix(b, e4m3, depth, columns, {true}), d,
                     {.a_scale = factors(rows), .b_scale = factors(columns)});
    };
    if (Device(0).compute_capability() >= ComputeCapability{10, 0}) {
        multiply();
        EXPECT_LE(relative_error(values(d), expected), 8e-3);
        return;
    }
    try {
        multiply();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
        std::cout << error.what() << '\n';
        EXPECT_NE(std::string(error.what()).find("10.0 for block scaling"), std::string::npos);
    }
}

TEST_F(SmallTypesGpuTest, StatesThatTheDeviceHasNoNumbersOfFourBits) {
    if (Device(0).compute_capability() >= ComputeCapability{10, 0}) GTEST_SKIP() << "the device has them";
    Buffer a = Device(0).allocate(stream(), rows * depth / 2), b = Device(0).allocate(stream(), depth * columns / 2);
    EXPECT_ANY_THROW(math::matmul(stream(), StridedView(a, fp4, {rows, depth / 2}),
                                  StridedView(b, fp4, {depth / 2, columns}, {1, depth / 2}),
                                  zeros(DataType::bfloat16(), rows, columns)));
}

}  // namespace
}  // namespace cubind::testing
