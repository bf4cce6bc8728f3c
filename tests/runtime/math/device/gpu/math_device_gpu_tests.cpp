// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Functions of libmathdx in kernels on a GPU, also those that tensor cores compute.
#include <bit>
#include <cstdint>

#include "device_kernels.hpp"
#include "random_kernels.hpp"
#include "solver_kernels.hpp"

namespace cubind::testing {
namespace {

/// Returns the bits of a small integer as a half.
std::uint16_t half_of(int value) {
    if (value == 0) return 0;
    const auto magnitude = static_cast<unsigned int>(std::abs(value));
    const int exponent = 31 - std::countl_zero(magnitude);
    const unsigned int bits = static_cast<unsigned int>(15 + exponent) << 10 | (magnitude << (10 - exponent) & 0x3ff);
    return static_cast<std::uint16_t>(value < 0 ? bits | 0x8000 : bits);
}

TEST(MathDeviceGpuTest, TransformsLikeTheDefinition) {
    expect_fft<float>({.size = 256}, 1e-6);
    expect_fft<float>({.size = 1024, .direction = device::FftDirection::inverse, .ffts_per_block = 2}, 1e-6);
    expect_fft<double>({.size = 64, .precision = math::Precision::f64, .elements_per_thread = 8}, 1e-14);
}

TEST(MathDeviceGpuTest, MultipliesExactly) {
    expect_gemm<float>({.m = 32, .n = 32, .k = 32});
    expect_gemm<float>({.m = 16, .n = 8, .k = 24, .leading_dimension = {25, 9, 12}, .block_size = 96});
    expect_gemm<double>({.m = 32, .n = 16, .k = 64, .precision = {math::Precision::f64}});
    expect_gemm<double>(
        {.m = 8,
         .n = 16,
         .k = 8,
         .precision = {math::Precision::f64},
         .arrangement = {math::Arrangement::column_major, math::Arrangement::row_major, math::Arrangement::column_major}});
}

TEST(MathDeviceGpuTest, MultipliesHalvesExactly) {
    constexpr unsigned int n = 32;
    const device::Gemm gemm({.m = n,
                             .n = n,
                             .k = n,
                             .precision = {math::Precision::f16, math::Precision::f16, math::Precision::f32},
                             .alignment = {16},
                             .symbol = "multiply"});
    Kernel kernel = kernel_with({gemm}, R"(
        extern "C" __global__ void product(const unsigned short* a, const unsigned short* b, float* c) {
            extern __shared__ __align__(16) char shared[];
            using gemm = multiply_traits;
            unsigned short* own_a = reinterpret_cast<unsigned short*>(shared + gemm::a_offset);
            unsigned short* own_b = reinterpret_cast<unsigned short*>(shared + gemm::b_offset);
            float* own_c = reinterpret_cast<float*>(shared + gemm::c_offset);
            for (unsigned i = threadIdx.x; i < gemm::a_size; i += blockDim.x) own_a[i] = a[i];
            for (unsigned i = threadIdx.x; i < gemm::b_size; i += blockDim.x) own_b[i] = b[i];
            __syncthreads();
            const float alpha = 1, beta = 0;
            multiply(&alpha, own_a, own_b, &beta, own_c);
            __syncthreads();
            for (unsigned i = threadIdx.x; i < gemm::c_size; i += blockDim.x) c[i] = own_c[i];
        })",
                                "product");
    const auto number = [](unsigned int i, int step) { return static_cast<int>(i) * step % 11 - 5; };
    std::vector<std::uint16_t> a(n * n), b(n * n);
    for (unsigned int i = 0; i < n * n; ++i) {
        a[i] = half_of(number(i, 3));
        b[i] = half_of(number(i, 7));
    }
    Stream stream{Device()};
    const auto device_a = uploaded(stream, a), device_b = uploaded(stream, b);
    auto device_c = Device().allocate<float>(stream, n * n);
    launch(stream, {.grid = 1, .block = gemm.block(), .shared_memory_size = gemm.shared_memory_size()}, kernel, device_a,
           device_b, device_c);
    const auto found = downloaded(stream, device_c);
    for (unsigned int i = 0; i < n; ++i) {
        for (unsigned int j = 0; j < n; ++j) {
            int sum = 0;
            for (unsigned int l = 0; l < n; ++l) sum += number(i * n + l, 3) * number(l * n + j, 7);
            ASSERT_EQ(found[i * n + j], static_cast<float>(sum)) << i << ", " << j;
        }
    }
}

TEST(MathDeviceGpuTest, FactorsAndSolves) {
    expect_cholesky_and_triangular_solve("");
}

TEST(MathDeviceGpuTest, SolvesInSinglePrecision) {
    expect_all_solutions<float>({}, 1e-5);
}

TEST(MathDeviceGpuTest, SolvesTransposedSystemsOfRows) {
    expect_all_solutions<double>({.arrangement = math::Arrangement::row_major, .transpose = device::Transpose::transposed},
                                 1e-13);
}

TEST(MathDeviceGpuTest, SolvesComplexSystems) {
    expect_all_solutions<std::complex<double>>({.transpose = device::Transpose::conjugated}, 1e-13);
}

TEST(MathDeviceGpuTest, FactorsIntoQAndR) {
    expect_qr<float>({}, 1e-5);
    expect_qr<double>({.precision = math::Precision::f64, .arrangement = math::Arrangement::row_major}, 1e-13);
}

TEST(MathDeviceGpuTest, TransformsRealValues) {
    expect_real_fft<float>({.size = 128}, 1e-6);
    expect_real_fft<double>({.size = 64, .precision = math::Precision::f64}, 1e-14);
}

TEST(MathDeviceGpuTest, GeneratesIntegers) {
    expect_integers("");
}

TEST(MathDeviceGpuTest, GeneratesRandomNumbers) {
    for (const device::Generator generator :
         {device::Generator::philox, device::Generator::xorwow, device::Generator::mrg32k3a}) {
        expect_random(generator, "");
    }
}

}  // namespace
}  // namespace cubind::testing
