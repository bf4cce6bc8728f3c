// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrices and stencils.
#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* matrix_source = R"(
__constant__ float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
template <class T>
__device__ void multiply(const T* a, const T* b, T* c, int n) {
    __shared__ T left[16][16], right[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
extern "C" {
__global__ void multiply_float(const float* a, const float* b, float* c, int n) { multiply(a, b, c, n); }
__global__ void multiply_double(const double* a, const double* b, double* c, int n) { multiply(a, b, c, n); }
__global__ void multiply_vector(const float4* a, const float* x, float* y, int n4) {  // a warp for each row
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = threadIdx.x; k < n4; k += 32) {
        const float4 v = a[row * n4 + k];
        sum += v.x * x[4 * k] + v.y * x[4 * k + 1] + v.z * x[4 * k + 2] + v.w * x[4 * k + 3];
    }
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x == 0) y[row] = sum;
}
__global__ void transpose(const int* in, int* out, int width, int height) {
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void stencil_line(const float* in, float* out, int n) {
    __shared__ float part[128 + 4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 2;
    part[t] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < 2) {
        part[t - 2] = i >= 2 ? in[i - 2] : 0.0f;
        part[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += weights[k] * part[t + k - 2];
    out[i] = sum;
}
__global__ void relax(const double* in, double* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    const bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    out[i] = is_edge ? in[i] : 0.25 * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
__global__ void live(const unsigned char* in, unsigned char* out, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) count += in[(y + dy + size) % size * size + (x + dx + size) % size];
    out[y * size + x] = count == 3 || (count == 2 && in[y * size + x]);
}
}
)";

class MatrixKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(matrix_source);
    }
    // The elements are small integers, so that the order of the sums does not matter.
    template <class Value>
    void expect_product(const char* kernel) {
        constexpr std::size_t n = 48;
        std::vector<Value> a(n * n), b(n * n), expected(n * n);
        for (std::size_t i = 0; i < n * n; ++i) {
            a[i] = static_cast<Value>(i % 13) - 6;
            b[i] = static_cast<Value>(i * 7 % 17) - 8;
        }
        for (std::size_t i = 0; i < n; ++i) {  // the sum of outer products
            for (std::size_t row = 0; row < n; ++row) {
                for (std::size_t column = 0; column < n; ++column)
                    expected[row * n + column] += a[row * n + i] * b[i * n + column];
            }
        }
        const CUdeviceptr c = zeros<Value>(n * n);
        run(kernel, {3, 3}, {16, 16}, upload(a), upload(b), c, static_cast<int>(n));
        EXPECT_EQ(download<Value>(c, n * n), expected);
    }
};

TEST_P(MatrixKernelsTest, MultipliesFloatTiles) {
    expect_product<float>("multiply_float");
}

TEST_P(MatrixKernelsTest, MultipliesDoubleTiles) {
    expect_product<double>("multiply_double");
}

TEST_P(MatrixKernelsTest, MultipliesAVector) {
    std::vector<float> a(16 * 256), x(256), expected(16);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 11 % 23);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 5) - 2;
    for (std::size_t i = 0; i < a.size(); ++i) expected[i / 256] += a[i] * x[i % 256];
    const CUdeviceptr y = zeros<float>(16);
    run("multiply_vector", {4}, {32, 4}, upload(a), upload(x), y, 64);
    EXPECT_EQ(download<float>(y, 16), expected);
}

TEST_P(MatrixKernelsTest, TransposesThroughTiles) {
    constexpr std::size_t width = 70, height = 45;
    const auto x = random_integers<int>(width * height, 0, 1 << 30);
    const CUdeviceptr out = zeros<int>(x.size());
    run("transpose", {3, 2}, {32, 8}, upload(x), out, static_cast<int>(width), static_cast<int>(height));
    const auto results = download<int>(out, x.size());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(results[i % width * height + i / width], x[i]) << i;
}

TEST_P(MatrixKernelsTest, WeightsTheNeighborsOfALine) {
    std::vector<float> x(300);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 101);
    const CUdeviceptr out = zeros<float>(300);
    run("stencil_line", {3}, {128}, upload(x), out, 300);
    const auto results = download<float>(out, 300);
    const auto at = [&](std::size_t i) { return i < x.size() ? static_cast<double>(x[i]) : 0.0; };
    for (std::size_t i = 0; i < x.size(); ++i) {  // exact in sixteenths
        EXPECT_EQ(results[i] * 16, at(i - 2) + 4 * at(i - 1) + 6 * at(i) + 4 * at(i + 1) + at(i + 2)) << i;
    }
}

TEST_P(MatrixKernelsTest, RelaxesAPlane) {
    constexpr std::size_t width = 33, height = 20;
    auto plane = random_reals<double>(width * height, 0, 1);
    CUdeviceptr from = upload(plane), to = zeros<double>(plane.size());
    for (int round = 0; round < 6; ++round, std::swap(from, to)) {
        run("relax", {3, 5}, {16, 4}, from, to, static_cast<int>(width), static_cast<int>(height));
    }
    for (int round = 0; round < 6; ++round) {
        const auto old = plane;
        for (std::size_t y = 1; y + 1 < height; ++y) {
            for (std::size_t x = 1; x + 1 < width; ++x) {
                const double* const row = &old[y * width + x];
                plane[y * width + x] = (row[-1] + row[1] + *(row - width) + row[width]) / 4;
            }
        }
    }
    EXPECT_EQ(download<double>(from, plane.size()), plane);
}

TEST_P(MatrixKernelsTest, LetsAGliderMove) {
    std::vector<unsigned char> cells(32 * 32);
    for (const std::size_t i : {1u, 34u, 64u, 65u, 66u}) cells[i] = 1;
    CUdeviceptr from = upload(cells), to = zeros<unsigned char>(cells.size());
    for (int round = 0; round < 40; ++round, std::swap(from, to)) run("live", {2, 4}, {16, 8}, from, to, 32);
    std::vector<unsigned char> expected(cells.size());
    for (const std::size_t i : {1u, 34u, 64u, 65u, 66u}) expected[i + 10 * 33] = 1;  // one cell along both axes in four rounds
    EXPECT_EQ(download<unsigned char>(from, cells.size()), expected);
}

INSTANTIATE_TEST_SUITE_P(Kernels, MatrixKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
