// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS itself: each operation with each type and with strides, compared with sums of double precision.
#include <cubind/core.hpp>
#include <cubind/cublas/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/vector.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <optional>
#include <string>

#include "host_numbers.hpp"

namespace cubind::testing {
namespace {

constexpr std::size_t count = 1000;

class VectorGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
        if (library_path(cublas::library()) == nullptr) GTEST_SKIP() << "cuBLAS is missing";
        stream_.emplace(Device(0));
    }
    Stream& stream() { return *stream_; }
    StridedView vector(const Numbers& numbers, DataType type, std::int64_t stride) {
        return uploaded(stream(), numbers, type, {static_cast<std::int64_t>(numbers.size())}, {stride});
    }
    StridedView one(DataType type) { return vector(Numbers(1), type, 1); }

    RandomNumbers random_;
    std::optional<Stream> stream_;
};

struct VectorCase {
    DataType type;
    double tolerance;
};

const VectorCase all_cases[] = {
    {DataType::float16(), 2e-3}, {DataType::bfloat16(), 1e-2},           {data_type<float>, 1e-6},
    {data_type<double>, 1e-14},  {data_type<std::complex<float>>, 1e-6}, {data_type<std::complex<double>>, 1e-14}};

DataType real_type(DataType type) {
    return type.kind == DataTypeKind::complex
               ? DataType{DataTypeKind::floating_point, static_cast<std::uint8_t>(type.bits / 2), 1}
               : type;
}

TEST_F(VectorGpuTest, ComputesWithEachTypeAndStride) {
    for (const auto& [type, tolerance] : all_cases) {
        for (const std::int64_t stride : {1, 3}) {
            SCOPED_TRACE(to_string(type) + ", stride " + std::to_string(stride));
            const Numbers x = random_(count, type), y = random_(count, type);
            const StridedView device_x = vector(x, type, stride), device_y = vector(y, type, 4 - stride);
            std::complex<double> sum, conjugated;
            double squares = 0, scale = 0;
            Numbers added(count), scaled(count);
            for (std::size_t i = 0; i < count; ++i) {
                sum += x[i] * y[i];
                conjugated += std::conj(x[i]) * y[i];
                squares += std::norm(x[i]);
                scale += std::abs(x[i] * y[i]);  // rounding errors are in proportion to it
                added[i] = 0.75 * x[i] + y[i];
                scaled[i] = -1.5 * x[i];
            }
            const StridedView result = one(type), norm = one(real_type(type));
            math::dot(stream(), device_x, device_y, result);
            EXPECT_LE(std::abs(downloaded(stream(), result)[0] - sum), tolerance * scale);
            EXPECT_LE(std::abs(math::dot_to_host(stream(), device_x, device_y) - sum), tolerance * scale);
            math::vdot(stream(), device_x, device_y, result);
            EXPECT_LE(std::abs(downloaded(stream(), result)[0] - conjugated), tolerance * scale);
            EXPECT_LE(std::abs(math::vdot_to_host(stream(), device_x, device_y) - conjugated), tolerance * scale);
            math::nrm2(stream(), device_x, norm);
            EXPECT_NEAR(downloaded(stream(), norm)[0].real(), std::sqrt(squares), tolerance * std::sqrt(squares));
            EXPECT_NEAR(math::nrm2_to_host(stream(), device_x), std::sqrt(squares), tolerance * std::sqrt(squares));
            math::axpy(stream(), 0.75, device_x, device_y);
            EXPECT_LE(relative_error(downloaded(stream(), device_y), added), tolerance);
            math::scal(stream(), -1.5, device_x);
            EXPECT_LE(relative_error(downloaded(stream(), device_x), scaled), tolerance);
        }
    }
}

TEST_F(VectorGpuTest, TakesComplexFactors) {
    const DataType type = data_type<std::complex<double>>;
    const std::complex<double> factor(0.5, -2);
    const Numbers x = random_(count, type), y = random_(count, type);
    const StridedView device_x = vector(x, type, 1), device_y = vector(y, type, 1);
    math::axpy(stream(), factor, device_x, device_y);
    math::scal(stream(), factor, device_x);
    Numbers added(count), scaled(count);
    for (std::size_t i = 0; i < count; ++i) {
        added[i] = factor * x[i] + y[i];
        scaled[i] = factor * x[i];
    }
    EXPECT_LE(relative_error(downloaded(stream(), device_y), added), 1e-14);
    EXPECT_LE(relative_error(downloaded(stream(), device_x), scaled), 1e-14);
}

TEST_F(VectorGpuTest, RunsInGraphs) {
    const DataType type = data_type<float>;
    const Numbers x = random_(count, type);
    const StridedView device_x = vector(x, type, 1), result = one(type);
    GraphBuilder builder(Device(0));
    builder.begin_building();
    math::scal(builder, 2, device_x);
    math::nrm2(builder, device_x, result);
    Graph graph = builder.end_building().complete();
    double squares = 0;
    for (const std::complex<double>& each : x) squares += std::norm(each);
    for (const double factor : {2.0, 4.0}) {
        graph.launch(stream());
        EXPECT_NEAR(downloaded(stream(), result)[0].real(), factor * std::sqrt(squares), 1e-5 * factor * std::sqrt(squares));
    }
}

}  // namespace
}  // namespace cubind::testing
