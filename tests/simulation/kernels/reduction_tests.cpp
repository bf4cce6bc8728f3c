// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans and histograms.
#include <algorithm>
#include <numeric>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* reduction_source = R"(
extern "C" {
__global__ void shared_sum(const float* x, float* out, int n) {
    __shared__ float part[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
__global__ void shuffle_minimum(const int* x, int* out, int n) {
    __shared__ int of_warp[32];
    int least = 0x7fffffff;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) least = min(least, x[i]);
    for (int k = 16; k > 0; k /= 2) least = min(least, __shfl_xor_sync(0xffffffffu, least, k));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = least;
    __syncthreads();
    if (threadIdx.x < 32) {
        least = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0x7fffffff;
        for (int k = 16; k > 0; k /= 2) least = min(least, __shfl_down_sync(0xffffffffu, least, k));
        if (threadIdx.x == 0) atomicMin(out, least);
    }
}
__global__ void warp_reduce(const unsigned* x, unsigned* out) {
    const unsigned v = x[threadIdx.x], warp = threadIdx.x / 32;
    unsigned results[] = {__reduce_add_sync(~0u, v), __reduce_min_sync(~0u, v), __reduce_max_sync(~0u, v),
                          __reduce_and_sync(~0u, v), __reduce_or_sync(~0u, v), __reduce_xor_sync(~0u, v)};
    for (int k = 0; k < 6; ++k) if (threadIdx.x % 32 == k) out[warp * 6 + k] = results[k];
}
__global__ void atomic_statistics(const int* x, int n, unsigned long long* sum, int* least, int* largest, double* real, unsigned* bits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(sum, (unsigned long long)(long long)x[i]);
    atomicMin(least, x[i]);
    atomicMax(largest, x[i]);
    atomicAdd(real, 0.25 * x[i]);
    atomicOr(&bits[0], 1u << (x[i] & 31));
    atomicXor(&bits[1], (unsigned)x[i]);
    atomicAnd(&bits[2], ~(1u << (x[i] & 15)));
    atomicInc(&bits[3], 99);
    atomicDec(&bits[4], 6);
}
__global__ void block_scan(const int* x, int* out, int* sums) {
    extern __shared__ int part[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = x[i];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        const int add = t >= k ? part[t - k] : 0;
        __syncthreads();
        part[t] += add;
        __syncthreads();
    }
    out[i] = part[t];
    if (t == blockDim.x - 1) sums[blockIdx.x] = part[t];
}
__global__ void add_sums(int* out, const int* sums) { if (blockIdx.x > 0) out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x - 1]; }
__global__ void sweep_scan(unsigned long long* x, int n) {  // exclusive, up and down a tree
    for (int k = 1; k < n; k *= 2) {
        const int i = (threadIdx.x + 1) * k * 2 - 1;
        if (i < n) x[i] += x[i - k];
        __syncthreads();
    }
    if (threadIdx.x == 0) x[n - 1] = 0;
    __syncthreads();
    for (int k = n / 2; k > 0; k /= 2) {
        const int i = (threadIdx.x + 1) * k * 2 - 1;
        if (i < n) { const unsigned long long t = x[i - k]; x[i - k] = x[i]; x[i] += t; }
        __syncthreads();
    }
}
__global__ void lookback_scan(const int* x, int* out, volatile int* flags, volatile int* totals, int* ticket) {
    __shared__ int block, before;
    __shared__ int of_warp[8];
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
    __syncthreads();
    const int i = block * 256 + threadIdx.x, lane = threadIdx.x % 32;
    int v = x[i];
    for (int k = 1; k < 32; k *= 2) { const int o = __shfl_up_sync(~0u, v, k); if (lane >= k) v += o; }
    if (lane == 31) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; ++w) v += of_warp[w];
    if (threadIdx.x == 255) {
        int sum = 0;
        if (block > 0) { while (flags[block - 1] == 0) {} __threadfence(); sum = totals[block - 1]; }
        totals[block] = sum + v;
        __threadfence();
        flags[block] = 1;
        before = sum;
    }
    __syncthreads();
    out[i] = v + before;
}
__global__ void histogram(const unsigned char* x, unsigned* counts, int n) {
    __shared__ unsigned part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&part[x[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], part[threadIdx.x]);
}
}
)";

class ReductionKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(reduction_source);
    }
};

TEST_P(ReductionKernelsTest, AddsInSharedMemory) {
    std::vector<float> x(5000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) * 0.5f;  // all sums are exact
    const CUdeviceptr out = zeros<float>(1);
    run("shared_sum", {5}, {256}, upload(x), out, 5000);
    EXPECT_EQ(download<float>(out, 1)[0], static_cast<float>(std::accumulate(x.begin(), x.end(), 0.0)));
}

TEST_P(ReductionKernelsTest, FindsTheMinimumByShuffles) {
    const auto x = random_integers<int>(3001, -2000000000, 2000000000);
    const CUdeviceptr out = upload(std::vector<int>{0x7fffffff});
    run("shuffle_minimum", {3}, {160}, upload(x), out, 3001);
    EXPECT_EQ(download<int>(out, 1)[0], *std::ranges::min_element(x));
}

TEST_P(ReductionKernelsTest, ReducesEachWarp) {
    const auto x = random_integers<unsigned>(96, 0, ~0u);
    const CUdeviceptr out = zeros<unsigned>(18);
    run("warp_reduce", {1}, {96}, upload(x), out);
    const auto results = download<unsigned>(out, 18);
    for (std::size_t warp = 0; warp < 3; ++warp) {
        const std::vector<unsigned> part(x.begin() + static_cast<long>(warp * 32), x.begin() + static_cast<long>(warp * 32 + 32));
        const auto fold = [&](unsigned first, auto operation) {
            return std::accumulate(part.begin(), part.end(), first, operation);
        };
        EXPECT_EQ(results[warp * 6], fold(0, std::plus<>()));
        EXPECT_EQ(results[warp * 6 + 1], *std::ranges::min_element(part));
        EXPECT_EQ(results[warp * 6 + 2], *std::ranges::max_element(part));
        EXPECT_EQ(results[warp * 6 + 3], fold(~0u, std::bit_and<>()));
        EXPECT_EQ(results[warp * 6 + 4], fold(0, std::bit_or<>()));
        EXPECT_EQ(results[warp * 6 + 5], fold(0, std::bit_xor<>()));
    }
}

TEST_P(ReductionKernelsTest, UpdatesGlobalMemoryAtomically) {
    const auto x = random_integers<int>(1000, -50000, 50000);
    const CUdeviceptr sum = zeros<long long>(1), least = zeros<int>(1), largest = zeros<int>(1), real = zeros<double>(1);
    const CUdeviceptr bits = upload(std::vector<unsigned>{0, 0, ~0u, 0, 0});
    run("atomic_statistics", {8}, {128}, upload(x), 1000, sum, least, largest, real, bits);
    const long long expected = std::accumulate(x.begin(), x.end(), 0ll);
    EXPECT_EQ(download<long long>(sum, 1)[0], expected);
    EXPECT_EQ(download<int>(least, 1)[0], *std::ranges::min_element(x));
    EXPECT_EQ(download<int>(largest, 1)[0], *std::ranges::max_element(x));
    EXPECT_EQ(download<double>(real, 1)[0], static_cast<double>(expected) / 4);
    unsigned set = 0, mixed = 0;
    for (const int each : x) set |= 1u << (each & 31), mixed ^= static_cast<unsigned>(each);
    const auto results = download<unsigned>(bits, 5);
    EXPECT_EQ(results[0], set);
    EXPECT_EQ(results[1], mixed);
    EXPECT_EQ(results[2], 0xffff0000u);
    EXPECT_EQ(results[3], 1000u % 100);
    EXPECT_EQ(results[4], (7 - 1000 % 7) % 7u);
}

TEST_P(ReductionKernelsTest, ScansBlocksAndAddsTheirSums) {
    const auto x = random_integers<int>(1024, -100, 100);
    const CUdeviceptr out = zeros<int>(1024), sums = zeros<int>(8);
    run_shared("block_scan", {8}, {128}, 128 * sizeof(int), upload(x), out, sums);
    run_shared("block_scan", {1}, {8}, 8 * sizeof(int), sums, sums, zeros<int>(1));
    run("add_sums", {8}, {128}, out, sums);
    std::vector<int> expected(x.size());
    std::partial_sum(x.begin(), x.end(), expected.begin());
    EXPECT_EQ(download<int>(out, 1024), expected);
}

TEST_P(ReductionKernelsTest, ScansAlongATree) {
    const auto x = random_integers<unsigned long long>(512, 0, ~0ull);
    const CUdeviceptr values = upload(x);
    run("sweep_scan", {1}, {256}, values, 512);
    std::vector<unsigned long long> expected(x.size());
    std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0ull);
    EXPECT_EQ(download<unsigned long long>(values, 512), expected);
}

TEST_P(ReductionKernelsTest, ScansInOnePassWithFlagsBetweenBlocks) {
    const auto x = random_integers<int>(20 * 256, -1000, 1000);
    const CUdeviceptr out = zeros<int>(x.size());
    run("lookback_scan", {20}, {256}, upload(x), out, zeros<int>(20), zeros<int>(20), zeros<int>(1));
    std::vector<int> expected(x.size());
    std::partial_sum(x.begin(), x.end(), expected.begin());
    EXPECT_EQ(download<int>(out, x.size()), expected);
}

TEST_P(ReductionKernelsTest, CountsBytes) {
    const auto x = random_integers<unsigned char>(9000, 0, 200);
    const CUdeviceptr counts = zeros<unsigned>(256);
    run("histogram", {4}, {256}, upload(x), counts, 9000);
    const auto results = download<unsigned>(counts, 256);
    for (int value = 0; value < 256; ++value) {
        EXPECT_EQ(results[static_cast<std::size_t>(value)], std::ranges::count(x, value)) << value;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ReductionKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
