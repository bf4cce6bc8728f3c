// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Models: bodies that attract each other, the Mandelbrot set, prices of options, and a random walk.
#include <cmath>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* model_source = R"(
extern "C" {
__global__ void attract(const float4* bodies, float3* forces, int n) {
    __shared__ float4 tile[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 own = bodies[i];
    float3 force = {0, 0, 0};
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = bodies[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) {
            const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-2f);
            const float s = tile[j].w * r * r * r;
            force.x += dx * s;
            force.y += dy * s;
            force.z += dz * s;
        }
        __syncthreads();
    }
    forces[i] = force;
}
// Each operation rounds once, so that the host computes the same numbers.
__global__ void mandelbrot(unsigned short* out, int width, int height, int limit) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const double cr = -2.0 + 3.0 * x / width, ci = -1.0 + 2.0 * y / height;
    double zr = 0, zi = 0;
    int k = 0;
    while (k < limit && __dadd_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)) < 4.0) {
        const double t = __dadd_rn(__dsub_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)), cr);
        zi = __dadd_rn(__dmul_rn(2.0 * zr, zi), ci);
        zr = t;
        ++k;
    }
    out[y * width + x] = k;
}
__global__ void price(const float* spot, const float* strike, float* call, float* put, float rate, float volatility, float years, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float root = sqrtf(years);
        const float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
        const float d2 = d1 - volatility * root;
        const float discounted = strike[i] * expf(-rate * years);
        call[i] = spot[i] * normcdff(d1) - discounted * normcdff(d2);
        put[i] = discounted * normcdff(-d2) - spot[i] * normcdff(-d1);
    }
}
__global__ void walk(unsigned long long seed, int* inside, int steps) {
    unsigned long long state = seed + blockIdx.x * blockDim.x + threadIdx.x;
    int count = 0;
    for (int i = 0; i < steps; ++i) {
        unsigned long long z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        const unsigned x = (unsigned)z >> 16, y = (unsigned)(z >> 48);
        count += (unsigned long long)x * x + (unsigned long long)y * y < (1ull << 32);
    }
    atomicAdd(inside, count);
}
__global__ void crc(const unsigned char* x, int n, unsigned* out) {
    __shared__ unsigned table[256];
    unsigned c = threadIdx.x;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[threadIdx.x] = c;
    __syncthreads();
    c = ~0u;
    for (int i = 0; i < n; ++i) c = table[(c ^ x[threadIdx.x * n + i]) & 255] ^ (c >> 8);
    out[threadIdx.x] = ~c;
}
}
)";

class ModelKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(model_source);
    }
};

TEST_P(ModelKernelsTest, AddsTheForcesOnBodies) {
    const auto bodies = random_reals<float>(128 * 4, 0.1f, 1.0f);
    const CUdeviceptr forces = zeros<float>(128 * 3);
    run("attract", {2}, {64}, upload(bodies), forces, 128);
    const auto results = download<float>(forces, 128 * 3);
    for (std::size_t i = 0; i < 128; ++i) {
        double expected[3] = {}, size[3] = {};
        for (std::size_t j = 0; j < 128; ++j) {
            double d[3], square = 1e-2;
            for (std::size_t k = 0; k < 3; ++k) {
                d[k] = double{bodies[4 * j + k]} - double{bodies[4 * i + k]};
                square += d[k] * d[k];
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const double part = d[k] * double{bodies[4 * j + 3]} / std::pow(square, 1.5);
                expected[k] += part;
                size[k] += std::abs(part);
            }
        }
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(results[3 * i + k], expected[k], 2e-6 * size[k]) << i;
    }
}

TEST_P(ModelKernelsTest, CountsTheStepsOfMandelbrot) {
    constexpr int width = 50, height = 30, limit = 200;
    const CUdeviceptr out = zeros<unsigned short>(width * height);
    run("mandelbrot", {4, 4}, {16, 8}, out, width, height, limit);
    const auto results = download<unsigned short>(out, width * height);
    for (int i = 0; i < width * height; ++i) {
        const double cr = -2.0 + 3.0 * (i % width) / width, ci = -1.0 + 2.0 * (i / width) / height;
        double zr = 0, zi = 0, square_r = 0, square_i = 0;
        int left = limit;
        for (; left > 0 && square_r + square_i < 4.0; --left) {
            zi = (zr + zr) * zi + ci;
            zr = square_r - square_i + cr;
            square_r = zr * zr;
            square_i = zi * zi;
        }
        ASSERT_EQ(results[static_cast<std::size_t>(i)], limit - left) << i;
    }
}

TEST_P(ModelKernelsTest, PricesOptions) {
    const auto spot = random_reals<float>(200, 5.0f, 30.0f);
    const auto strike = random_reals<float>(200, 5.0f, 40.0f, 2);
    const CUdeviceptr call = zeros<float>(200), put = zeros<float>(200);
    run("price", {2}, {64}, upload(spot), upload(strike), call, put, 0.02f, 0.3f, 1.5f, 200);
    const auto calls = download<float>(call, 200), puts = download<float>(put, 200);
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    for (std::size_t i = 0; i < 200; ++i) {
        const double rate = double{0.02f}, volatility = double{0.3f} * std::sqrt(1.5), s = double{spot[i]}, k = double{strike[i]};
        const double discounted = k * std::exp(-rate * 1.5);
        const double d1 = std::log(s / discounted) / volatility + volatility / 2;
        const double expected = s * normal(d1) - discounted * normal(d1 - volatility);
        EXPECT_NEAR(calls[i], expected, 2e-5) << i;
        EXPECT_NEAR(puts[i], expected + discounted - s, 2e-5) << i;
    }
}

TEST_P(ModelKernelsTest, CountsPointsInACircle) {
    const CUdeviceptr inside = zeros<int>(1);
    run("walk", {2}, {64}, 42ull, inside, 50);
    int expected = 0;
    for (std::uint64_t thread = 0; thread < 128; ++thread) {
        for (std::uint64_t step = 1; step <= 50; ++step) {
            std::uint64_t z = 42 + thread + step * 0x9e3779b97f4a7c15;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
            z = (z ^ z >> 27) * 0x94d049bb133111eb;
            z = z ^ z >> 31;
            expected += std::pow((z & 0xffffffff) >> 16, 2) + std::pow(z >> 48, 2) < 0x1p32 ? 1 : 0;
        }
    }
    EXPECT_EQ(download<int>(inside, 1)[0], expected);
}

TEST_P(ModelKernelsTest, ComputesChecksums) {
    const auto x = random_integers<unsigned char>(256 * 20, 0, 255);
    const CUdeviceptr out = zeros<unsigned>(256);
    run("crc", {1}, {256}, upload(x), 20, out);
    const auto results = download<unsigned>(out, 256);
    for (std::size_t i = 0; i < 256; ++i) {
        unsigned expected = ~0u;
        for (std::size_t bit = 0; bit < 160; ++bit) {
            const unsigned mixed = (expected ^ static_cast<unsigned>(x[i * 20 + bit / 8] >> (bit % 8))) & 1;
            expected = (expected >> 1) ^ (mixed != 0 ? 0xedb88320u : 0u);
        }
        EXPECT_EQ(results[i], ~expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ModelKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
