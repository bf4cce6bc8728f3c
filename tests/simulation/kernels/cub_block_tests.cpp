// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that use CUB's primitives of a block and of a warp.
#include <algorithm>
#include <numeric>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* cub_block_source = R"(
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>

struct Largest { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };

template <cub::BlockReduceAlgorithm algorithm, class T>
__device__ void reduce(const T* x, T* out, int valid) {
    using Reduce = cub::BlockReduce<T, 160, algorithm>;
    __shared__ typename Reduce::TempStorage storage;
    const T sum = Reduce(storage).Sum(x[threadIdx.x]);
    __syncthreads();
    const T largest = Reduce(storage).Reduce(x[threadIdx.x], Largest(), valid);
    if (threadIdx.x == 0) out[0] = sum, out[1] = largest;
}
extern "C" {
__global__ void reduce_warps(const int* x, int* out, int valid) { reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, out, valid); }
__global__ void reduce_raking(const double* x, double* out, int valid) { reduce<cub::BLOCK_REDUCE_RAKING>(x, out, valid); }
__global__ void reduce_parts(const int* x, int* out) {
    using Reduce = cub::WarpReduce<int, 16>;
    __shared__ typename Reduce::TempStorage storage[8];
    const int part = threadIdx.x / 16, largest = Reduce(storage[part]).Reduce(x[threadIdx.x], Largest());
    if (threadIdx.x % 16 == 0) out[part] = largest;
}
__global__ void scan(const int* x, int* out, int* total) {
    using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, 128, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ union { typename Load::TempStorage load; typename Scan::TempStorage scan; typename Store::TempStorage store; } storage;
    int values[4], sum;
    Load(storage.load).Load(x, values);
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(values, values, sum);
    __syncthreads();
    Store(storage.store).Store(out, values);
    if (threadIdx.x == 0) *total = sum;
}
__global__ void scan_largest(const unsigned long long* x, unsigned long long* out) {
    using Scan = cub::BlockScan<unsigned long long, 96, cub::BLOCK_SCAN_RAKING>;
    __shared__ typename Scan::TempStorage storage;
    unsigned long long value;
    Scan(storage).InclusiveScan(x[threadIdx.x], value, Largest());
    out[threadIdx.x] = value;
}
__global__ void sort(const float* keys, const int* values, float* sorted_keys, int* sorted_values) {
    using Sort = cub::BlockRadixSort<float, 128, 3, int>;
    __shared__ typename Sort::TempStorage storage;
    float key[3];
    int value[3];
    for (int k = 0; k < 3; ++k) key[k] = keys[threadIdx.x * 3 + k], value[k] = values[threadIdx.x * 3 + k];
    Sort(storage).SortDescending(key, value);
    for (int k = 0; k < 3; ++k) sorted_keys[threadIdx.x * 3 + k] = key[k], sorted_values[threadIdx.x * 3 + k] = value[k];
}
__global__ void histogram(const unsigned char* x, unsigned* out) {
    using Atomic = cub::BlockHistogram<unsigned char, 128, 4, 100, cub::BLOCK_HISTO_ATOMIC>;
    using Sorted = cub::BlockHistogram<unsigned char, 128, 4, 100, cub::BLOCK_HISTO_SORT>;
    __shared__ union { typename Atomic::TempStorage atomic; typename Sorted::TempStorage sorted; } storage;
    __shared__ unsigned counts[2][100];
    unsigned char values[4];
    cub::LoadDirectStriped<128>(threadIdx.x, x, values);
    Atomic(storage.atomic).Histogram(values, counts[0]);
    __syncthreads();
    Sorted(storage.sorted).Histogram(values, counts[1]);
    __syncthreads();
    for (int k = threadIdx.x; k < 200; k += 128) out[k] = counts[k / 100][k % 100];
}
}
)";

class CubBlockKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load_with_headers(cub_block_source, "cub/block/block_reduce.cuh");
    }

    /// Reduces 160 numbers, and the first `valid` of them with another operator.
    template <class Value>
    void expect_reduction(const char* kernel, const std::vector<Value>& x, int valid) {
        const CUdeviceptr out = zeros<Value>(2);
        run(kernel, {1}, {160}, upload(x), out, valid);
        EXPECT_EQ(download<Value>(out, 2), (std::vector<Value>{std::accumulate(x.begin(), x.end(), Value{}),
                                                               *std::max_element(x.begin(), x.begin() + valid)}));
    }
};

TEST_P(CubBlockKernelsTest, Reduces) {
    expect_reduction("reduce_warps", random_integers<int>(160, -1000000, 1000000), 77);
    std::vector<double> x(160);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 37 % 101) * 0.125;  // all sums are exact
    expect_reduction("reduce_raking", x, 131);
}

TEST_P(CubBlockKernelsTest, ReducesPartsOfWarps) {
    const auto x = random_integers<int>(128, -1000, 1000);
    const CUdeviceptr out = zeros<int>(8);
    run("reduce_parts", {1}, {128}, upload(x), out);
    const auto results = download<int>(out, 8);
    for (long part = 0; part < 8; ++part) {
        EXPECT_EQ(results[static_cast<std::size_t>(part)], *std::max_element(x.begin() + part * 16, x.begin() + part * 16 + 16));
    }
}

TEST_P(CubBlockKernelsTest, Scans) {
    const auto x = random_integers<int>(512, -1000, 1000);
    const CUdeviceptr out = zeros<int>(512), total = zeros<int>(1);
    run("scan", {1}, {128}, upload(x), out, total);
    std::vector<int> expected(512);
    std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0);
    EXPECT_EQ(download<int>(out, 512), expected);
    EXPECT_EQ(download<int>(total, 1)[0], expected[511] + x[511]);
}

TEST_P(CubBlockKernelsTest, ScansWithAnOperator) {
    const auto x = random_integers<unsigned long long>(96, 0, ~0ull);
    const CUdeviceptr out = zeros<unsigned long long>(96);
    run("scan_largest", {1}, {96}, upload(x), out);
    std::vector<unsigned long long> expected(96);
    std::partial_sum(x.begin(), x.end(), expected.begin(), [](auto a, auto b) { return std::max(a, b); });
    EXPECT_EQ(download<unsigned long long>(out, 96), expected);
}

TEST_P(CubBlockKernelsTest, SortsPairs) {
    const auto keys = random_reals<float>(384, -100, 100);
    std::vector<int> values(384);
    std::iota(values.begin(), values.end(), 0);
    const CUdeviceptr sorted_keys = zeros<float>(384), sorted_values = zeros<int>(384);
    run("sort", {1}, {128}, upload(keys), upload(values), sorted_keys, sorted_values);
    std::stable_sort(values.begin(), values.end(),
                     [&](int a, int b) { return keys[static_cast<std::size_t>(a)] > keys[static_cast<std::size_t>(b)]; });
    EXPECT_EQ(download<int>(sorted_values, 384), values);
    const auto results = download<float>(sorted_keys, 384);
    for (std::size_t i = 0; i < 384; ++i) EXPECT_EQ(results[i], keys[static_cast<std::size_t>(values[i])]);
}

TEST_P(CubBlockKernelsTest, CountsValues) {
    const auto x = random_integers<unsigned char>(512, 0, 90);
    const CUdeviceptr out = zeros<unsigned>(200);
    run("histogram", {1}, {128}, upload(x), out);
    const auto results = download<unsigned>(out, 200);
    for (int value = 0; value < 100; ++value) {
        const auto count = static_cast<unsigned>(std::count(x.begin(), x.end(), value));
        EXPECT_EQ(results[static_cast<std::size_t>(value)], count) << value;
        EXPECT_EQ(results[static_cast<std::size_t>(value) + 100], count) << value;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, CubBlockKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
