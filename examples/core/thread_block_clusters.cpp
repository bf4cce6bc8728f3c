// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Blocks of a cluster run at the same time and can read each other's shared memory. Each block sums its part of the
// input. The first block of each cluster adds the sums of the other blocks without using global memory. Requires compute
// capability 9.0. (The toolkit's cooperative_groups.h offers the same as cg::this_cluster().)

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int cluster = 4;  // blocks of a cluster
constexpr unsigned int clusters = 8;
constexpr unsigned int block = 128;
constexpr unsigned int n = cluster * clusters * block;

const char* const source = R"(
__device__ void wait_for_cluster()
{
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}

extern "C" __global__ void cluster_sums(const unsigned int* in, unsigned int* sums, unsigned int* shape)
{
    __shared__ unsigned int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    wait_for_cluster();  // now all blocks have their sums

    const unsigned int blocks = __clusterSizeInBlocks();
    if (__clusterRelativeBlockRank() == 0 && threadIdx.x == 0) {
        unsigned int total = 0;
        for (unsigned int rank = 0; rank < blocks; ++rank) total += *(unsigned int*)__cluster_map_shared_rank(&sum, rank);
        sums[blockIdx.x / blocks] = total;
        if (blockIdx.x == 0) *shape = blocks;
    }
    wait_for_cluster();  // no block exits while others read its shared memory
}
)";

int thread_block_clusters() {
    const Device device;
    const std::string arch = device.arch();
    if (!device.properties().cluster_launch()) {
        return example::skip(device.name() + ", sm_" + arch + ", does not support thread block clusters.");
    }

    Program program(source, {.name = "cluster_sums.cu", .arch = "sm_" + arch});
    const Kernel kernel = program.compile(CodeType::ptx).kernel("cluster_sums");

    std::vector<unsigned int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    const Stream stream(device);
    TypedBuffer<unsigned int> in = device.allocate<unsigned int>(stream, n);
    TypedBuffer<unsigned int> sums = device.allocate<unsigned int>(stream, clusters);
    TypedBuffer<unsigned int> shape = device.allocate<unsigned int>(stream, 1);
    copy(stream, in, numbers);

    // The grid counts blocks, even if there are clusters.
    launch(stream, {.grid = cluster * clusters, .block = block, .cluster = cluster}, kernel, in, sums, shape);

    std::vector<unsigned int> result(clusters);
    unsigned int blocks_of_cluster = 0;
    copy(stream, result, sums);
    copy(stream, blocks_of_cluster, shape);
    stream.synchronize();

    std::printf("%s, sm_%s: %u blocks of %u threads in clusters of %u\n", device.name().c_str(), arch.c_str(), cluster * clusters,
                block, blocks_of_cluster);
    const unsigned int part = cluster * block;
    std::size_t wrong = 0;
    for (unsigned int i = 0; i < clusters; ++i) {
        const unsigned int expected = std::accumulate(numbers.begin() + i * part, numbers.begin() + (i + 1) * part, 0u);
        wrong += result[i] != expected;
        std::printf("  cluster %u: numbers %5u to %5u, sum %8u\n", i, i * part, (i + 1) * part - 1, result[i]);
    }

    return example::verdict(wrong == 0 && blocks_of_cluster == cluster,
                            "the kernel reports its cluster size, and each sum is correct");
}

}  // namespace

int main() {
    return example::run(thread_block_clusters);
}
