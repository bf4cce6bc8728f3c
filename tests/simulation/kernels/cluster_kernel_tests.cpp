// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose blocks form clusters and share their memory.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* cluster_source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern __shared__ int dynamic[];
extern "C" {
__global__ void reduce(const int* x, int n, long long* out) {
    __shared__ long long sum;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const int threads = cluster.num_threads();
    const int first = blockIdx.x / cluster.num_blocks() * threads + cluster.thread_rank();
    for (int i = first; i < n; i += gridDim.x * blockDim.x) atomicAdd((unsigned long long*)&sum, (unsigned long long)(long long)x[i]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        long long total = 0;
        for (int rank = 0; rank < cluster.num_blocks(); ++rank) total += *cluster.map_shared_rank(&sum, rank);
        out[blockIdx.x / cluster.num_blocks()] = total;
    }
    cluster.sync();
}
// Each block of a cluster has a part of the bins.
__global__ void histogram(const int* x, int n, int bins_of_block, int* out) {
    const cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) dynamic[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int* const bins = cluster.map_shared_rank(dynamic, x[i] / bins_of_block);
        atomicAdd(bins + x[i] % bins_of_block, 1);
    }
    cluster.sync();
    int* const to = out + cluster.block_rank() * bins_of_block;
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) atomicAdd(to + i, dynamic[i]);
}
__global__ void ranks(int* out) {
    __shared__ int own;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    int* const mapped = cluster.map_shared_rank(&own, next);
    const dim3 blocks = cluster.dim_blocks(), index = cluster.block_index(), threads = cluster.dim_threads();
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int* const to = out + (block * blockDim.x + threadIdx.x) * 16;
    const int values[16] = {(int)cluster.block_rank(), (int)cluster.thread_rank(), (int)cluster.num_blocks(),
                            (int)cluster.num_threads(), (int)blocks.x, (int)blocks.y, (int)blocks.z, (int)index.x, (int)index.y,
                            (int)index.z, (int)threads.x, (int)threads.y,
                            (int)cluster.query_shared_rank(mapped), (int)cluster.query_shared_rank(&own),
                            (int)__clusterDimIsSpecified(), __isShared(&own) + 2 * __isShared(mapped)};
    for (int k = 0; k < 16; ++k) to[k] = values[k];
}
// Values move around the ring of blocks. The blocks work for different times, and use the time between arrival and wait.
__global__ void ring(const int* x, int rounds, int* out) {
    __shared__ int values[2][64];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x;
    values[0][t] = x[blockIdx.x * 64 + t];
    int sum = 0;
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        const int* const left = cluster.map_shared_rank(values[round % 2], (rank + cluster.num_blocks() - 1) % cluster.num_blocks());
        const int value = left[(t + 1) % 64] * 3 + rank;
        values[1 - round % 2][t] = value;
        auto token = cluster.barrier_arrive();
        for (int k = 0; k < (rank * 37 + round * 11) % 200; ++k) sum += (value >> k % 7) & 1;
        cluster.barrier_wait(static_cast<decltype(token)&&>(token));
    }
    out[blockIdx.x * 64 + t] = values[rounds % 2][t] + 1000 * sum;
    cluster.sync();
}
__global__ void __cluster_dims__(2, 2, 1) fixed_shape(int* out) {
    __shared__ int from[4];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x < 4) *cluster.map_shared_rank(&from[rank], threadIdx.x) = rank * 10 + blockIdx.x + 4 * blockIdx.y;
    cluster.sync();
    if (threadIdx.x < 4) out[(blockIdx.y * gridDim.x + blockIdx.x) * 4 + threadIdx.x] = from[threadIdx.x];
}
// A flag in the memory of another block.
__global__ void wait_for_flag(int* out) {
    __shared__ volatile int flag;
    __shared__ int data;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() + 1 == cluster.num_blocks()) {
        *cluster.map_shared_rank(&data, 0) = 77;
        __threadfence();
        *cluster.map_shared_rank((int*)&flag, 0) = 1;
    }
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {
        while (flag == 0) {}
        __threadfence();
        out[blockIdx.x] = *(volatile int*)&data;
    }
    cluster.sync();
}
__global__ void map_any(int* out, int rank) {
    __shared__ int own;
    const cg::cluster_group cluster = cg::this_cluster();
    own = 5;
    cluster.sync();
    out[blockIdx.x] = *cluster.map_shared_rank(&own, rank);
    cluster.sync();
}
__global__ void read_late(int* out) {
    __shared__ int own;
    const cg::cluster_group cluster = cg::this_cluster();
    own = 5;
    cluster.sync();
    if (cluster.block_rank() == 1) return;
    for (int i = 0; i < 1000; ++i) __nanosleep(100);
    out[blockIdx.x] = *cluster.map_shared_rank(&own, 1);
}
__global__ void deadlock() {
    const cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 1 && threadIdx.x < 32) __syncthreads();
    cluster.sync();
}
}
)";

class ClusterKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (IsSkipped()) return;
        // Cooperative groups include a header of libcu++, but not those of CUDA 12.0.
        const auto [status, major, minor] = cubind::nvrtc::nvrtcVersion();
        load_with_headers(cluster_source, major == 12 && minor == 0 ? "cooperative_groups.h" : "nv/target");
    }
    void allow_sixteen_blocks(const char* name) const {
        EXPECT_EQ(cuFuncSetAttribute(function(name), CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1).status,
                  CUDA_SUCCESS);
    }
};

TEST_P(ClusterKernelsTest, ReducesOverSharedMemoryOfOtherBlocks) {
    const auto x = random_integers<int>(5000, -1000, 1000);
    const CUdeviceptr in = upload(x);
    for (const unsigned size : {1u, 2u, 4u, 8u}) {
        const CUdeviceptr out = zeros<long long>(16 / size);
        ASSERT_EQ(launch_clusters("reduce", {16}, {96}, {size}, 0, in, 5000, out), CUDA_SUCCESS) << problem();
        const auto sums = download<long long>(out, 16 / size);
        std::vector<long long> expected(16 / size);
        for (std::size_t i = 0; i < x.size(); ++i) expected[i % (16 * 96) / (size * 96)] += x[i];
        EXPECT_EQ(sums, expected) << size;
    }
}

TEST_P(ClusterKernelsTest, DistributesAHistogram) {
    const auto x = random_integers<int>(4000, 0, 511);
    std::vector<int> expected(512);
    for (const int each : x) ++expected[static_cast<std::size_t>(each)];
    const CUdeviceptr in = upload(x);
    allow_sixteen_blocks("histogram");
    for (const unsigned size : {2u, 8u, 16u}) {
        const CUdeviceptr out = zeros<int>(512);
        const int bins_of_block = static_cast<int>(512 / size);
        ASSERT_EQ(launch_clusters("histogram", {16}, {64}, {size}, 4 * 512 / size, in, 4000, bins_of_block, out), CUDA_SUCCESS)
            << problem();
        EXPECT_EQ(download<int>(out, 512), expected) << size;
    }
}

TEST_P(ClusterKernelsTest, ReturnsRanksAndSizes) {
    constexpr unsigned blocks = 4 * 6 * 2;
    const CUdeviceptr out = zeros<int>(blocks * 32 * 16);
    ASSERT_EQ(launch_clusters("ranks", {4, 6, 2}, {32}, {2, 3, 1}, 0, out), CUDA_SUCCESS) << problem();
    const auto results = download<int>(out, blocks * 32 * 16);
    for (int block = 0; block < static_cast<int>(blocks); ++block) {
        const int x = block % 4 % 2, y = block / 4 % 6 % 3, rank = x + 2 * y;
        for (int t = 0; t < 32; ++t) {
            const auto* const from = &results[static_cast<std::size_t>(block * 32 + t) * 16];
            EXPECT_EQ(std::vector<int>(from, from + 16),
                      (std::vector<int>{rank, rank * 32 + t, 6, 6 * 32, 2, 3, 1, x, y, 0, 2 * 32, 3, (rank + 1) % 6, rank, 1, 1}))
                << block << ' ' << t;
        }
    }
}

TEST_P(ClusterKernelsTest, ReturnsRanksWithoutAClusterSize) {
    const CUdeviceptr out = zeros<int>(3 * 32 * 16);
    run("ranks", {3}, {32}, out);
    const auto results = download<int>(out, 3 * 32 * 16);
    for (int i = 0; i < 96; ++i) {
        const auto* const from = &results[static_cast<std::size_t>(i) * 16];
        EXPECT_EQ(std::vector<int>(from, from + 16), (std::vector<int>{0, i % 32, 1, 32, 1, 1, 1, 0, 0, 0, 32, 1, 0, 0, 0, 3}));
    }
}

TEST_P(ClusterKernelsTest, SynchronizesUnevenWork) {
    constexpr int rounds = 9;
    const auto x = random_integers<int>(8 * 64, 0, 50);
    const CUdeviceptr in = upload(x);
    for (const unsigned size : {2u, 8u}) {
        const CUdeviceptr out = zeros<int>(x.size());
        ASSERT_EQ(launch_clusters("ring", {8}, {64}, {size}, 0, in, rounds, out), CUDA_SUCCESS) << problem();
        std::vector<int> values = x, sums(x.size());
        for (int round = 0; round < rounds; ++round) {
            std::vector<int> next(x.size());
            for (unsigned i = 0; i < x.size(); ++i) {
                const unsigned rank = i / 64 % size;
                const unsigned left = i / 64 - rank + (rank + size - 1) % size;
                next[i] = values[left * 64 + (i + 1) % 64] * 3 + static_cast<int>(rank);
                const int work = static_cast<int>(rank * 37 + static_cast<unsigned>(round) * 11) % 200;
                for (int k = 0; k < work; ++k) sums[i] += next[i] >> k % 7 & 1;
            }
            values = next;
        }
        for (std::size_t i = 0; i < x.size(); ++i) values[i] += 1000 * sums[i];
        EXPECT_EQ(download<int>(out, x.size()), values) << size;
    }
}

TEST_P(ClusterKernelsTest, UsesTheClusterSizeOfTheKernel) {
    const CUdeviceptr out = zeros<int>(4 * 4 * 4);
    run("fixed_shape", {4, 4}, {32}, out);
    const auto results = download<int>(out, 64);
    for (int block = 0; block < 16; ++block) {
        for (int rank = 0; rank < 4; ++rank) {
            const int x = block % 4 / 2 * 2 + rank % 2, y = block / 8 * 2 + rank / 2;
            EXPECT_EQ(results[static_cast<std::size_t>(block * 4 + rank)], rank * 10 + x + 4 * y) << block << ' ' << rank;
        }
    }
    EXPECT_EQ(launch_clusters("fixed_shape", {4, 4}, {32}, {4}, 0, out), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    EXPECT_EQ(launch("fixed_shape", {3, 4}, {32}, 0, out), CUDA_ERROR_INVALID_CLUSTER_SIZE);
}

TEST_P(ClusterKernelsTest, LetsABlockWaitForAFlagOfAnother) {
    const CUdeviceptr out = zeros<int>(8);
    ASSERT_EQ(launch_clusters("wait_for_flag", {8}, {32}, {4}, 0, out), CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(out, 8), (std::vector<int>{77, 0, 0, 0, 77, 0, 0, 0}));
}

// These tests end with a failure of the device.
using ClusterFaultKernelsTest = ClusterKernelsTest;

TEST_P(ClusterFaultKernelsTest, ReportsARankThatDoesNotExist) {
    const CUdeviceptr out = zeros<int>(4);
    EXPECT_EQ(launch_clusters("map_any", {4}, {32}, {2}, 0, out, 1), CUDA_SUCCESS) << problem();
    EXPECT_EQ(launch_clusters("map_any", {4}, {32}, {2}, 0, out, 2), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(problem(), HasSubstr("rank 2 of a cluster of 2 blocks"));
}

TEST_P(ClusterFaultKernelsTest, ReportsABlockThatHasEnded) {
    const CUdeviceptr out = zeros<int>(4);
    EXPECT_EQ(launch_clusters("read_late", {4}, {32}, {4}, 0, out), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(problem(), HasSubstr("rank 1 of the cluster, whose threads have all ended"));
}

TEST_P(ClusterFaultKernelsTest, ReportsDeadlocks) {
    EXPECT_EQ(launch_clusters("deadlock", {4}, {64}, {4}, 0), CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(problem(), AllOf(HasSubstr("deadlock: no thread of the cluster that begins with block (0, 0, 0)"),
                                 HasSubstr("in block (1, 0, 0); 32 threads from (0, 0, 0) wait for barrier 0"),
                                 HasSubstr("wait for the barrier of the cluster")));
}

INSTANTIATE_TEST_SUITE_P(Kernels, ClusterKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);
INSTANTIATE_TEST_SUITE_P(Kernels, ClusterFaultKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
