// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads of a warp and blocks of a grid that exchange values or wait for each other.
#include <bit>
#include <map>
#include <set>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* warp_source = R"(
extern "C" {
__global__ void votes(const unsigned* x, unsigned* out) {
    const unsigned t = threadIdx.x, v = x[t], lane = t % 32;
    unsigned* const to = out + t * 8;
    int same = -1;
    to[0] = __ballot_sync(~0u, v & 1);
    to[1] = __any_sync(~0u, v == 3) * 2 + __all_sync(~0u, v < 8);
    to[2] = __match_any_sync(~0u, v);
    to[3] = __match_all_sync(~0u, v / 8, &same);
    to[4] = same;
    if (lane % 3 == 1) {
        const unsigned third = __activemask();
        to[5] = third;
        to[6] = __ballot_sync(0x92492492, v & 1);
        to[7] = __popc(__match_any_sync(0x92492492, v & 2));
    }
}
__global__ void shuffles(const int* x, int* out, double* real) {
    const int t = threadIdx.x, v = x[t];
    out[t * 6 + 0] = __shfl_sync(~0u, v, t * 5);
    out[t * 6 + 1] = __shfl_up_sync(~0u, v, 3);
    out[t * 6 + 2] = __shfl_down_sync(~0u, v, 7, 16);
    out[t * 6 + 3] = __shfl_xor_sync(~0u, v, 13);
    out[t * 6 + 4] = __shfl_sync(~0u, v, 2, 8);
    out[t * 6 + 5] = (int)__shfl_xor_sync(~0u, (long long)v << 32 | t, 1);
    real[t] = __shfl_down_sync(~0u, v * 0.5, 1);
}
__global__ void lock_in_warp(int* mutex, int* count) {
    bool is_done = false;
    while (!is_done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            *(volatile int*)count = *(volatile int*)count + 1;
            __threadfence();
            atomicExch(mutex, 0);
            is_done = true;
        }
    }
}
__global__ void lock_without_flag(int* mutex, volatile int* count) {
    while (atomicCAS(mutex, 0, 1) != 0) {}
    __threadfence();
    *count += 1;
    __threadfence();
    atomicExch(mutex, 0);
}
__global__ void pass_on(volatile int* flags, volatile int* value) {  // blocks continue in descending order
    if (threadIdx.x != 0) return;
    const int own = blockIdx.x;
    if (own + 1 < gridDim.x) while (flags[own + 1] == 0) {}
    __threadfence();
    *value = *value * 3 + own;
    __threadfence();
    flags[own] = 1;
}
__device__ void wait_for_grid(unsigned* arrived, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile unsigned*)arrived < round * gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
}
__global__ void grid_rounds(volatile int* a, volatile int* b, unsigned* arrived, int rounds) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 1; r <= rounds; ++r) {
        volatile int* const from = r & 1 ? a : b;
        volatile int* const to = r & 1 ? b : a;
        to[i] = from[(i + 1) % n] + from[(i + n - 1) % n];
        wait_for_grid(arrived, r);
    }
}
__global__ void last_block(const int* x, int* sums, unsigned* done, int* out) {
    __shared__ bool is_last;
    atomicAdd(&sums[blockIdx.x], x[blockIdx.x * blockDim.x + threadIdx.x]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last && threadIdx.x == 0) for (int k = 0; k < gridDim.x; ++k) *out += ((volatile int*)sums)[k];
}
__global__ void compact(const int* x, int* out, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || x[i] % 3 != 0) return;
    const unsigned active = __activemask(), lane = threadIdx.x % 32;
    const int leader = __ffs(active) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(count, __popc(active));
    base = __shfl_sync(active, base, leader);
    out[base + __popc(active & ((1u << lane) - 1))] = x[i];
}
__global__ void push(int* heads, int* next, int lists) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int old = heads[i % lists];
    for (;;) {
        next[i] = old;
        __threadfence();
        const int found = atomicCAS(&heads[i % lists], old, i);
        if (found == old) break;
        old = found;
    }
}
__global__ void pairs(int* out) {  // warps produce for the next warp through named barriers
    __shared__ int box[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int k = 0; k < 5; ++k) {
            box[lane] = k * 100 + lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        }
    } else {
        for (int k = 0; k < 5; ++k) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[k * 32 + lane] = box[31 - lane];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
}
)";

class WarpKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(warp_source);
    }
};

TEST_P(WarpKernelsTest, VotesAndMatches) {
    auto x = random_integers<unsigned>(64, 0, 7);
    x[40] = 9;
    const CUdeviceptr out = zeros<unsigned>(64 * 8);
    run("votes", {1}, {64}, upload(x), out);
    const auto results = download<unsigned>(out, 64 * 8);
    for (unsigned t = 0; t < 64; ++t) {
        unsigned odd = 0, same = 0, thirds = 0, odd_third = 0, same_third = 0;
        bool any = false;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned v = x[t / 32 * 32 + lane];
            odd |= (v & 1) << lane;
            same |= (v == x[t] ? 1u : 0u) << lane;
            any |= v == 3;
            if (lane % 3 != 1) continue;
            thirds |= 1u << lane;
            odd_third |= (v & 1) << lane;
            same_third += (v & 2) == (x[t] & 2) ? 1 : 0;
        }
        const bool is_first = t < 32;
        std::vector<unsigned> expected = {odd, any * 2u + is_first, same, is_first ? ~0u : 0u, is_first, 0, 0, 0};
        if (t % 32 % 3 == 1) expected[5] = thirds, expected[6] = odd_third, expected[7] = same_third;
        EXPECT_EQ(std::vector<unsigned>(&results[t * 8], &results[t * 8] + 8), expected) << t;
    }
}

TEST_P(WarpKernelsTest, Shuffles) {
    const auto x = random_integers<int>(64, -1000, 1000);
    const CUdeviceptr out = zeros<int>(64 * 6), real = zeros<double>(64);
    run("shuffles", {1}, {64}, upload(x), out, real);
    const auto results = download<int>(out, 64 * 6);
    const auto halves = download<double>(real, 64);
    for (std::size_t t = 0; t < 64; ++t) {
        const std::size_t warp = t & 32, lane = t & 31;
        EXPECT_EQ(results[t * 6], x[warp + t * 5 % 32]);
        EXPECT_EQ(results[t * 6 + 1], x[lane < 3 ? t : t - 3]);
        EXPECT_EQ(results[t * 6 + 2], x[lane % 16 < 9 ? t + 7 : t]);
        EXPECT_EQ(results[t * 6 + 3], x[t ^ 13]);
        EXPECT_EQ(results[t * 6 + 4], x[t / 8 * 8 + 2]);
        EXPECT_EQ(results[t * 6 + 5], static_cast<int>(t ^ 1));
        EXPECT_EQ(halves[t], x[lane == 31 ? t : t + 1] / 2.0);
    }
}

TEST_P(WarpKernelsTest, LocksBetweenThreadsOfAWarp) {
    const CUdeviceptr count = zeros<int>(1);
    run("lock_in_warp", {3}, {64}, zeros<int>(1), count);
    EXPECT_EQ(download<int>(count, 1)[0], 192);
}

TEST_P(WarpKernelsTest, LocksWithAnEmptyLoop) {
    const CUdeviceptr count = zeros<int>(1);
    run("lock_without_flag", {2}, {40}, zeros<int>(1), count);
    EXPECT_EQ(download<int>(count, 1)[0], 80);
}

TEST_P(WarpKernelsTest, WaitsForLaterBlocks) {
    const CUdeviceptr value = zeros<int>(1);
    run("pass_on", {16}, {32}, zeros<int>(16), value);
    int expected = 0;
    for (int block = 15; block >= 0; --block) expected = expected * 3 + block;
    EXPECT_EQ(download<int>(value, 1)[0], expected);
}

TEST_P(WarpKernelsTest, SynchronizesTheGrid) {
    auto x = random_integers<int>(8 * 48, -9, 9);
    const CUdeviceptr a = upload(x), b = zeros<int>(x.size());
    run("grid_rounds", {8}, {48}, a, b, zeros<unsigned>(1), 6);
    for (int round = 0; round < 6; ++round) {
        auto next = x;
        for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[(i + 1) % x.size()] + x[i == 0 ? x.size() - 1 : i - 1];
        x = next;
    }
    EXPECT_EQ(download<int>(a, x.size()), x);
}

TEST_P(WarpKernelsTest, LetsTheLastBlockAddTheSums) {
    const auto x = random_integers<int>(10 * 64, -100, 100);
    const CUdeviceptr out = zeros<int>(1);
    run("last_block", {10}, {64}, upload(x), zeros<int>(10), zeros<unsigned>(1), out);
    int sum = 0;
    for (const int each : x) sum += each;
    EXPECT_EQ(download<int>(out, 1)[0], sum);
}

TEST_P(WarpKernelsTest, CompactsWithOneAtomicForEachWarp) {
    RecordedResults::exclude_test();  // the order of the blocks determines that of the results
    const auto x = random_integers<int>(1000, 0, 100000);
    const CUdeviceptr out = zeros<int>(1000), count = zeros<int>(1);
    run("compact", {8}, {128}, upload(x), out, count, 1000);
    std::multiset<int> expected;
    for (const int each : x) {
        if (each % 3 == 0) expected.insert(each);
    }
    ASSERT_EQ(download<int>(count, 1)[0], static_cast<int>(expected.size()));
    const auto results = download<int>(out, expected.size());
    EXPECT_EQ(std::multiset<int>(results.begin(), results.end()), expected);
}

TEST_P(WarpKernelsTest, PushesToLinkedLists) {
    RecordedResults::exclude_test();  // the order of the blocks determines that of the results
    const CUdeviceptr heads = upload(std::vector<int>(7, -1)), next = zeros<int>(512);
    run("push", {4}, {128}, heads, next, 7);
    const auto first = download<int>(heads, 7), links = download<int>(next, 512);
    std::set<int> found;
    for (int list = 0; list < 7; ++list) {
        for (int i = first[static_cast<std::size_t>(list)]; i >= 0 && found.size() <= 512;
             i = links[static_cast<std::size_t>(i)]) {
            EXPECT_EQ(i % 7, list);
            EXPECT_TRUE(found.insert(i).second) << i;
        }
    }
    EXPECT_EQ(found.size(), 512u);
}

TEST_P(WarpKernelsTest, PassesValuesThroughNamedBarriers) {
    const CUdeviceptr out = zeros<int>(160);
    run("pairs", {1}, {64}, out);
    const auto results = download<int>(out, 160);
    for (int i = 0; i < 160; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], i / 32 * 100 + 31 - i % 32);
}

INSTANTIATE_TEST_SUITE_P(Kernels, WarpKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
