// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that use cooperative groups.
#include <algorithm>
#include <map>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* cooperative_groups_source = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" {
__global__ void tiles(const int* x, int* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const unsigned t = cg::this_thread_block().thread_rank();
    const int v = x[t];
    int results[] = {cg::reduce(tile, v, cg::plus<int>()), cg::reduce(tile, v, cg::less<int>()), cg::inclusive_scan(tile, v),
                     cg::exclusive_scan(tile, v, cg::plus<int>()), tile.shfl_xor(v, 3), (int)tile.ballot(v & 1),
                     (int)(tile.meta_group_rank() * 100 + tile.thread_rank()), tile.any(v == 5) * 2 + tile.all(v > 0)};
    for (int k = 0; k < 8; ++k) out[t * 8 + k] = results[k];
}
__global__ void run_time_tiles(const float* x, float* out) {
    __shared__ float part[64];
    const auto tile = cg::tiled_partition(cg::this_thread_block(), 16);
    const unsigned t = threadIdx.x;
    part[t] = x[t];
    tile.sync();
    for (int k = tile.size() / 2; k > 0; k /= 2) {
        if (tile.thread_rank() < k) part[t] += part[t + k];
        tile.sync();
    }
    if (tile.thread_rank() == 0) out[t / 16] = part[t];
}
__global__ void compact(const int* x, int* out, int* count) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[t] % 3 != 1) return;
    const auto group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0) base = atomicAdd(count, group.size());
    base = group.shfl(base, 0);
    const int sum = cg::reduce(group, x[t], cg::plus<int>());
    int* const to = out + (base + group.thread_rank()) * 3;
    to[0] = x[t], to[1] = sum, to[2] = t / 32;
}
__global__ void partitions(const int* x, int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int v = x[threadIdx.x];
    const auto same = cg::labeled_partition(warp, v % 5);
    const auto half = cg::binary_partition(warp, v > 50);
    int* const to = out + threadIdx.x * 4;
    to[0] = cg::reduce(same, v, cg::plus<int>());
    to[1] = same.size() * 100 + same.thread_rank();
    to[2] = half.size() * 100 + half.thread_rank();
    to[3] = cg::exclusive_scan(half, v, cg::plus<int>());
}
__global__ void waves(int* a, int* b, int rounds, unsigned* described) {
    const auto grid = cg::this_grid();
    const int n = grid.size(), i = grid.thread_rank();
    for (int r = 0; r < rounds; ++r) {
        int* const from = r % 2 ? b : a;
        int* const to = r % 2 ? a : b;
        to[i] = from[(i + 1) % n] + 2 * from[(i + n - 1) % n];
        grid.sync();
    }
    if (i == 70) described[0] = grid.is_valid(), described[1] = n, described[2] = blockIdx.x, described[3] = gridDim.x;
}
}
)";

class CooperativeGroupsKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (IsSkipped()) return;
        // Cooperative groups include a header of libcu++, but not those of CUDA 12.0.
        const auto [status, major, minor] = cubind::nvrtc::nvrtcVersion();
        load_with_headers(cooperative_groups_source, major == 12 && minor == 0 ? "cooperative_groups.h" : "nv/target");
    }
};

TEST_P(CooperativeGroupsKernelsTest, ReducesAndScansTiles) {
    const auto x = random_integers<int>(64, 0, 9);
    const CUdeviceptr out = zeros<int>(64 * 8);
    run("tiles", {1}, {16, 4}, upload(x), out);
    const auto results = download<int>(out, 64 * 8);
    for (std::size_t t = 0; t < 64; ++t) {
        const std::size_t first = t / 8 * 8;
        int sum = 0, before = 0, odd = 0;
        bool has_five = false, is_positive = true;
        for (std::size_t i = 0; i < 8; ++i) {
            const int v = x[first + i];
            if (first + i < t) before += v;
            sum += v;
            odd |= (v & 1) << i;
            has_five |= v == 5;
            is_positive &= v > 0;
        }
        const int least = *std::min_element(&x[first], &x[first] + 8);
        EXPECT_EQ(std::vector<int>(&results[t * 8], &results[t * 8] + 8),
                  (std::vector<int>{sum, least, before + x[t], before, x[t ^ 3], odd, static_cast<int>(t / 8 * 100 + t % 8),
                                    has_five * 2 + is_positive}))
            << t;
    }
}

TEST_P(CooperativeGroupsKernelsTest, SynchronizesTilesWhoseSizeIsAVariable) {
    std::vector<float> x(64);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 29);
    const CUdeviceptr out = zeros<float>(4);
    run("run_time_tiles", {1}, {64}, upload(x), out);
    const auto results = download<float>(out, 4);
    for (std::size_t tile = 0; tile < 4; ++tile) {
        float sum = 0;
        for (std::size_t i = 0; i < 16; ++i) sum += x[tile * 16 + i];
        EXPECT_EQ(results[tile], sum);
    }
}

TEST_P(CooperativeGroupsKernelsTest, CompactsWithCoalescedThreads) {
    RecordedResults::exclude_test();  // the order of the blocks determines that of the results
    const auto x = random_integers<int>(256, 0, 1000);
    const CUdeviceptr out = zeros<int>(256 * 3), count = zeros<int>(1);
    run("compact", {4}, {64}, upload(x), out, count);
    std::vector<int> expected;
    std::map<int, int> sums;  // of the elements of each warp
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] % 3 != 1) continue;
        expected.push_back(x[i]);
        sums[static_cast<int>(i % 64 / 32 + i / 64 * 2)] += x[i];
    }
    ASSERT_EQ(download<int>(count, 1)[0], static_cast<int>(expected.size()));
    const auto results = download<int>(out, 256 * 3);
    std::vector<int> found;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        found.push_back(results[i * 3]);
        EXPECT_EQ(results[i * 3 + 1], sums.at(results[i * 3 + 2]));
    }
    std::ranges::sort(found);
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected);
}

TEST_P(CooperativeGroupsKernelsTest, PartitionsByValues) {
    const auto x = random_integers<int>(64, 0, 100);
    const CUdeviceptr out = zeros<int>(64 * 4);
    run("partitions", {1}, {64}, upload(x), out);
    const auto results = download<int>(out, 64 * 4);
    for (std::size_t t = 0; t < 64; ++t) {
        int sum = 0, same = 0, same_before = 0, half = 0, half_before = 0, sum_before = 0;
        for (std::size_t i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
            if (x[i] % 5 == x[t] % 5) sum += x[i], ++same, same_before += i < t;
            if ((x[i] > 50) == (x[t] > 50)) ++half, half_before += i < t, sum_before += i < t ? x[i] : 0;
        }
        EXPECT_EQ(std::vector<int>(&results[t * 4], &results[t * 4] + 4),
                  (std::vector<int>{sum, same * 100 + same_before, half * 100 + half_before, sum_before}))
            << t;
    }
}

TEST_P(CooperativeGroupsKernelsTest, SynchronizesTheGrid) {
    auto x = random_integers<int>(6 * 40, -9, 9);
    CUdeviceptr a = upload(x), b = zeros<int>(x.size()), described = zeros<unsigned>(4);
    int rounds = 6;
    void* arguments[] = {&a, &b, &rounds, &described};
    ASSERT_EQ(cuLaunchCooperativeKernel(function("waves"), 6, 1, 1, 40, 1, 1, 0, nullptr, arguments).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << problem();
    for (int round = 0; round < rounds; ++round) {
        auto next = x;
        for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[(i + 1) % x.size()] + 2 * x[i == 0 ? x.size() - 1 : i - 1];
        x = next;
    }
    EXPECT_EQ(download<int>(a, x.size()), x);
    EXPECT_EQ(download<unsigned>(described, 4), (std::vector<unsigned>{1, 240, 1, 6}));
}

INSTANTIATE_TEST_SUITE_P(Kernels, CooperativeGroupsKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
