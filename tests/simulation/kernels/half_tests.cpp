// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 8 and 16 bits, with the vendor's headers cuda_fp16.h, cuda_bf16.h and cuda_fp8.h.
#include <bit>
#include <cmath>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* half_source = R"(
#include <cuda_fp16.h>
extern "C" {
__global__ void half_arithmetic(const __half* a, const __half* b, const __half* c, __half* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half* const to = out + i * 8;
    to[0] = a[i] + b[i];
    to[1] = __hsub_rn(a[i], b[i]);
    to[2] = __hmul_rn(a[i], b[i]);
    to[3] = __hfma(a[i], b[i], c[i]);
    to[4] = __hmax(a[i], b[i]);
    to[5] = __hlt(a[i], b[i]) ? -a[i] : __habs(a[i]);
    to[6] = hsqrt(__habs(a[i]));
    to[7] = a[i] / b[i];
}
__global__ void half_pairs(const __half2* a, const __half2* b, __half2* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * 4] = __hadd2(a[i], b[i]);
    out[i * 4 + 1] = __hfma2(a[i], b[i], a[i]);
    out[i * 4 + 2] = __hmin2(a[i], __lowhigh2highlow(b[i]));
    out[i * 4 + 3] = __hgt2(a[i], b[i]);
}
__global__ void half_conversions(const float* x, const double* d, const int* n, unsigned short* out, float* back) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * 4] = __half_as_ushort(__float2half_rn(x[i]));
    out[i * 4 + 1] = __half_as_ushort(__float2half_rz(x[i]));
    out[i * 4 + 2] = __half_as_ushort(__double2half(d[i]));
    out[i * 4 + 3] = __half_as_ushort(__int2half_rn(n[i]));
    back[i] = __half2float(__float2half_ru(x[i]));
}
__global__ void half_dot(const __half2* a, const __half2* b, __half* out, __half* atomic, int n) {
    __half2 sum = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n; i += 32) sum = __hfma2(a[i], b[i], sum);
    for (int k = 16; k > 0; k /= 2) sum = __hadd2(sum, __shfl_xor_sync(~0u, sum, k));
    if (threadIdx.x == 0) *out = __hadd(__low2half(sum), __high2half(sum));
    atomicAdd(atomic, __float2half(0.25f));
}
}
)";

constexpr const char* narrow_source = R"(
#include <cuda_bf16.h>
#include <cuda_fp8.h>
extern "C" {
__global__ void bfloat(const float* x, const float* y, unsigned short* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const __nv_bfloat16 a = __float2bfloat16(x[i]), b = __float2bfloat16(y[i]);
    out[i * 5] = __bfloat16_as_ushort(a);
    out[i * 5 + 1] = __bfloat16_as_ushort(__hadd(a, b));
    out[i * 5 + 2] = __bfloat16_as_ushort(__hmul_rn(a, b));
    out[i * 5 + 3] = __bfloat16_as_ushort(__hfma(a, b, a));
    out[i * 5 + 4] = __bfloat16_as_ushort(__float2bfloat16_rz(x[i]));
}
__global__ void fp8(const float* x, unsigned char* out, float* back) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const __nv_fp8_e4m3 a(x[i]);
    const __nv_fp8_e5m2 b(x[i]);
    out[i * 2] = a.__x;
    out[i * 2 + 1] = b.__x;
    back[i * 2] = float(a);
    back[i * 2 + 1] = float(b);
}
}
)";

/// A binary format with an exponent and a fraction.
struct Format {
    int fraction;      ///< bits
    int min_exponent;  ///< of normal numbers
    double largest;
};
constexpr Format half{10, -14, 65504};
constexpr Format bfloat{7, -126, 0x1.fep127};
constexpr Format e4m3{3, -6, 448};
constexpr Format e5m2{2, -14, 57344};

/// Returns the nearest number of a format, with ties to even. Numbers that are too large become infinite.
double round_to(const Format& format, double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const double unit = std::ldexp(1.0, std::max(std::ilogb(x), format.min_exponent) - format.fraction);
    const double rounded = std::nearbyint(x / unit) * unit;
    return std::abs(rounded) > format.largest ? std::copysign(INFINITY, x) : rounded;
}

/// Returns the bits of a number that the format can represent.
unsigned bits_of(const Format& format, double x) {
    const double size = std::abs(x);
    unsigned bits = 0;
    const int width = format.fraction;
    if (std::isinf(size)) {
        bits = bits_of(format, format.largest) + 1;
    } else if (size < std::ldexp(1.0, format.min_exponent)) {
        bits = static_cast<unsigned>(std::ldexp(size, width - format.min_exponent));
    } else {
        const int exponent = std::ilogb(size);
        bits = (static_cast<unsigned>(exponent - format.min_exponent) << width) +
               static_cast<unsigned>(std::ldexp(size, width - exponent));
    }
    const int exponent_bits = format.min_exponent == -126 ? 8 : format.min_exponent == -14 ? 5 : 4;
    return bits | (std::signbit(x) ? 1u << (width + exponent_bits) : 0);
}

class HalfKernelsTest : public KernelsTest {
protected:
    static constexpr std::size_t count = 256;

    static std::vector<double> halves(unsigned seed) {
        auto values = random_reals<double>(count, -8, 8, seed);
        for (std::size_t i = 0; i < count; ++i) values[i] = round_to(half, std::ldexp(values[i], static_cast<int>(i % 20) - 12));
        return values;
    }
    static CUdeviceptr upload_halves(const std::vector<double>& values) {
        std::vector<std::uint16_t> bits;
        for (const double value : values) bits.push_back(static_cast<std::uint16_t>(bits_of(half, value)));
        return upload(bits);
    }
};

TEST_P(HalfKernelsTest, ComputesHalves) {
    load_with_headers(half_source, "cuda_fp16.h");
    if (IsSkipped()) return;
    const auto a = halves(1), b = halves(2), c = halves(3);
    const CUdeviceptr out = zeros<std::uint16_t>(count * 8);
    run("half_arithmetic", {4}, {64}, upload_halves(a), upload_halves(b), upload_halves(c), out);
    const auto results = download<std::uint16_t>(out, count * 8);
    for (std::size_t i = 0; i < count; ++i) {
        const double expected[] = {a[i] + b[i],
                                   a[i] - b[i],
                                   a[i] * b[i],
                                   a[i] * b[i] + c[i],
                                   std::max(a[i], b[i]),
                                   a[i] < b[i] ? -a[i] : std::abs(a[i]),
                                   std::sqrt(std::abs(a[i]))};
        for (std::size_t k = 0; k < 7; ++k)
            EXPECT_EQ(results[i * 8 + k], bits_of(half, round_to(half, expected[k]))) << i << ' ' << k;
        // The division of the header multiplies with a reciprocal.
        EXPECT_NEAR(results[i * 8 + 7], bits_of(half, round_to(half, a[i] / b[i])), 1) << i;
    }
}

TEST_P(HalfKernelsTest, ComputesPairsOfHalves) {
    load_with_headers(half_source, "cuda_fp16.h");
    if (IsSkipped()) return;
    const auto a = halves(4), b = halves(5);
    const CUdeviceptr out = zeros<std::uint16_t>(count * 4);
    run("half_pairs", {2}, {64}, upload_halves(a), upload_halves(b), out);
    const auto results = download<std::uint16_t>(out, count * 4);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t* const to = &results[i / 2 * 8 + i % 2];
        EXPECT_EQ(to[0], bits_of(half, round_to(half, a[i] + b[i])));
        EXPECT_EQ(to[2], bits_of(half, round_to(half, a[i] * b[i] + a[i])));
        EXPECT_EQ(to[4], bits_of(half, std::min(a[i], b[i ^ 1])));
        EXPECT_EQ(to[6], a[i] > b[i] ? 0x3c00 : 0);
    }
}

TEST_P(HalfKernelsTest, ConvertsHalves) {
    load_with_headers(half_source, "cuda_fp16.h");
    if (IsSkipped()) return;
    auto x = random_reals<float>(count, -4.0f, 4.0f);
    auto d = random_reals<double>(count, -70000, 70000);
    for (std::size_t i = 0; i < count; ++i) x[i] = std::ldexp(x[i], static_cast<int>(i % 30) - 20);
    const auto n = random_integers<int>(count, -3000, 3000);
    const CUdeviceptr out = zeros<std::uint16_t>(count * 4), back = zeros<float>(count);
    run("half_conversions", {2}, {128}, upload(x), upload(d), upload(n), out, back);
    const auto results = download<std::uint16_t>(out, count * 4);
    const auto floats = download<float>(back, count);
    for (std::size_t i = 0; i < count; ++i) {
        const double nearest = round_to(half, x[i]);
        const double size = std::abs(x[i]), unit = std::ldexp(1.0, std::max(std::ilogb(size), -14) - 10);
        EXPECT_EQ(results[i * 4], bits_of(half, nearest)) << x[i];
        EXPECT_EQ(results[i * 4 + 1], bits_of(half, std::copysign(std::floor(size / unit) * unit, x[i]))) << x[i];
        EXPECT_EQ(results[i * 4 + 2], bits_of(half, round_to(half, d[i]))) << d[i];
        EXPECT_EQ(results[i * 4 + 3], bits_of(half, round_to(half, n[i]))) << n[i];
        EXPECT_EQ(floats[i], std::ceil(x[i] / unit) * unit) << x[i];
    }
}

TEST_P(HalfKernelsTest, AddsProductsOfHalves) {
    load_with_headers(half_source, "cuda_fp16.h");
    if (IsSkipped()) return;
    std::vector<double> a(count), b(count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {  // all sums are exact
        a[i] = static_cast<double>(i % 5) - 2;
        b[i] = static_cast<double>(i % 7) / 2;
        sum += a[i] * b[i];
    }
    const CUdeviceptr out = zeros<std::uint16_t>(1), atomic = zeros<std::uint16_t>(2);
    run("half_dot", {1}, {32}, upload_halves(a), upload_halves(b), out, atomic, static_cast<int>(count / 2));
    EXPECT_EQ(download<std::uint16_t>(out, 1)[0], bits_of(half, sum));
    EXPECT_EQ(download<std::uint16_t>(atomic, 1)[0], bits_of(half, 8));
}

TEST_P(HalfKernelsTest, ComputesBfloats) {
    load_with_headers(narrow_source, "cuda_fp16.h");
    if (IsSkipped()) return;
    const auto x = random_reals<float>(count, -100.0f, 100.0f, 1), y = random_reals<float>(count, -3.0f, 3.0f, 2);
    const CUdeviceptr out = zeros<std::uint16_t>(count * 5);
    run("bfloat", {2}, {128}, upload(x), upload(y), out);
    const auto results = download<std::uint16_t>(out, count * 5);
    for (std::size_t i = 0; i < count; ++i) {
        const double a = round_to(bfloat, x[i]), b = round_to(bfloat, y[i]);
        const double expected[] = {a, a + b, a * b, a * b + a};
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_EQ(results[i * 5 + k], bits_of(bfloat, round_to(bfloat, expected[k]))) << i << ' ' << k;
        EXPECT_EQ(results[i * 5 + 4], std::bit_cast<std::uint32_t>(x[i]) >> 16);
    }
}

TEST_P(HalfKernelsTest, ConvertsNumbersOfEightBits) {
    load_with_headers(narrow_source, "cuda_fp16.h");
    if (IsSkipped()) return;
    auto x = random_reals<float>(count, -2.0f, 2.0f);
    for (std::size_t i = 0; i < count; ++i) x[i] = std::ldexp(x[i], static_cast<int>(i % 24) - 12);
    const CUdeviceptr out = zeros<std::uint8_t>(count * 2), back = zeros<float>(count * 2);
    run("fp8", {2}, {128}, upload(x), out, back);
    const auto results = download<std::uint8_t>(out, count * 2);
    const auto floats = download<float>(back, count * 2);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
            const Format& format = k == 0 ? e4m3 : e5m2;
            const double nearest = round_to(format, x[i]);
            const double expected = std::isinf(nearest) ? std::copysign(format.largest, nearest) : nearest;
            EXPECT_EQ(results[i * 2 + k], bits_of(format, expected)) << x[i] << ' ' << k;
            EXPECT_EQ(floats[i * 2 + k], static_cast<float>(expected)) << x[i] << ' ' << k;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, HalfKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
