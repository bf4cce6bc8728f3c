// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts and searches.
#include <algorithm>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* sort_source = R"(
extern "C" {
__global__ void bitonic_block(int* data, int n) {
    extern __shared__ int s[];
    const int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            const int x = t ^ j;
            if (x > t) {
                const bool up = (t & k) == 0;
                if ((s[t] > s[x]) == up) { const int q = s[t]; s[t] = s[x]; s[x] = q; }
            }
            __syncthreads();
        }
    data[t] = s[t];
}
__global__ void bitonic_step(float* data, int j, int k) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i ^ j;
    if (x <= i) return;
    const float a = data[i], b = data[x];
    if ((a > b) == ((i & k) == 0)) { data[i] = b; data[x] = a; }
}
// Sorts the keys of a block by one bit after another; ballots count the zeros in front of a thread.
__global__ void radix_sort(unsigned* keys, unsigned* values, int bits) {
    __shared__ unsigned key[256], value[256];
    __shared__ int zeros[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    key[t] = keys[blockIdx.x * 256 + t];
    value[t] = values[blockIdx.x * 256 + t];
    __syncthreads();
    for (int bit = 0; bit < bits; ++bit) {
        const unsigned k = key[t], v = value[t];
        const bool is_zero = (k >> bit & 1) == 0;
        const unsigned ballot = __ballot_sync(~0u, is_zero);
        if (lane == 0) zeros[warp] = __popc(ballot);
        __syncthreads();
        int before = __popc(ballot & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < 8; ++w) { if (w < warp) before += zeros[w]; all += zeros[w]; }
        const int to = is_zero ? before : all + t - before;
        key[to] = k;
        value[to] = v;
        __syncthreads();
    }
    keys[blockIdx.x * 256 + t] = key[t];
    values[blockIdx.x * 256 + t] = value[t];
}
__global__ void rank_sort(const long long* x, long long* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int rank = 0;
    for (int k = 0; k < n; ++k) rank += x[k] < x[i] || (x[k] == x[i] && k < i);
    out[rank] = x[i];
}
__global__ void odd_even_sort(short* x, int n) {
    for (int round = 0; round < n; ++round) {
        const int i = 2 * threadIdx.x + (round & 1);
        if (i + 1 < n && x[i] > x[i + 1]) { const short t = x[i]; x[i] = x[i + 1]; x[i + 1] = t; }
        __syncthreads();
    }
}
__device__ int partition(int* x, int low, int high) {
    const int pivot = x[high];
    int end = low;
    for (int i = low; i < high; ++i) if (x[i] < pivot) { const int t = x[i]; x[i] = x[end]; x[end++] = t; }
    x[high] = x[end];
    x[end] = pivot;
    return end;
}
__device__ __noinline__ void quicksort(int* x, int low, int high) {
    if (low >= high) return;
    const int middle = partition(x, low, high);
    quicksort(x, low, middle - 1);
    quicksort(x, middle + 1, high);
}
__global__ void recursive_sort(int* x, int n) { quicksort(x + threadIdx.x * n, 0, n - 1); }
__global__ void binary_search(const int* sorted, int n, const int* wanted, int* found, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (sorted[middle] < wanted[i]) low = middle + 1; else high = middle;
    }
    found[i] = low;
}
}
)";

class SortKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(sort_source);
    }
    template <class Value>
    static std::vector<Value> sorted(std::vector<Value> values) {
        std::ranges::sort(values);
        return values;
    }
};

TEST_P(SortKernelsTest, SortsABlockWithABitonicNetwork) {
    const auto x = random_integers<int>(256, -1000000, 1000000);
    const CUdeviceptr data = upload(x);
    run_shared("bitonic_block", {1}, {256}, 1024, data, 256);
    EXPECT_EQ(download<int>(data, 256), sorted(x));
}

TEST_P(SortKernelsTest, SortsAGridWithABitonicNetwork) {
    const auto x = random_reals<float>(1024, -10.0f, 10.0f);
    const CUdeviceptr data = upload(x);
    for (int k = 2; k <= 1024; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) run("bitonic_step", {8}, {128}, data, j, k);
    }
    EXPECT_EQ(download<float>(data, 1024), sorted(x));
}

TEST_P(SortKernelsTest, SortsPairsByTheirBits) {
    const auto keys = random_integers<unsigned>(512, 0, 0xfff);
    std::vector<unsigned> values(512);
    for (unsigned i = 0; i < 512; ++i) values[i] = i;
    const CUdeviceptr device_keys = upload(keys), device_values = upload(values);
    run("radix_sort", {2}, {256}, device_keys, device_values, 12);
    for (const auto begin : {0, 256})
        std::stable_sort(values.begin() + begin, values.begin() + begin + 256,
                         [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    EXPECT_EQ(download<unsigned>(device_values, 512), values);
    const auto results = download<unsigned>(device_keys, 512);
    for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(results[i], keys[values[i]]);
}

TEST_P(SortKernelsTest, SortsByRanks) {
    const auto x = random_integers<long long>(300, -40, 40);
    const CUdeviceptr out = zeros<long long>(300);
    run("rank_sort", {5}, {64}, upload(x), out, 300);
    EXPECT_EQ(download<long long>(out, 300), sorted(x));
}

TEST_P(SortKernelsTest, SortsNeighborsInTurns) {
    const auto x = random_integers<short>(129, -30000, 30000);
    const CUdeviceptr data = upload(x);
    run("odd_even_sort", {1}, {64}, data, 129);
    EXPECT_EQ(download<short>(data, 129), sorted(x));
}

TEST_P(SortKernelsTest, SortsByRecursion) {
    const auto x = random_integers<int>(64 * 40, -500, 500);
    const CUdeviceptr data = upload(x);
    run("recursive_sort", {1}, {64}, data, 40);
    auto expected = x;
    for (auto part = expected.begin(); part != expected.end(); part += 40) std::sort(part, part + 40);
    EXPECT_EQ(download<int>(data, x.size()), expected);
}

TEST_P(SortKernelsTest, FindsLowerBounds) {
    const auto x = sorted(random_integers<int>(1000, 0, 5000));
    const auto wanted = random_integers<int>(200, -10, 5010, 2);
    const CUdeviceptr found = zeros<int>(200);
    run("binary_search", {2}, {128}, upload(x), 1000, upload(wanted), found, 200);
    const auto results = download<int>(found, 200);
    for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(results[i], std::ranges::lower_bound(x, wanted[i]) - x.begin());
}

INSTANTIATE_TEST_SUITE_P(Kernels, SortKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
