// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

/// The expected numbers are those of an H200.
class SimOccupancyTest : public KernelTest {
protected:
    int blocks(const char* name, int size, std::size_t shared = 0) const {
        auto [status, count] = cuOccupancyMaxActiveBlocksPerMultiprocessor(function(name), size, shared);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return count;
    }
};

TEST_F(SimOccupancyTest, IsLimitedByThreadsBlocksAndSharedMemory) {
    EXPECT_EQ(blocks("empty", 1), 32);
    EXPECT_EQ(blocks("empty", 100), 16);
    EXPECT_EQ(blocks("empty", 257), 7);
    EXPECT_EQ(blocks("empty", 1024), 2);
    EXPECT_EQ(blocks("empty", 1025), 0);
    EXPECT_EQ(blocks("empty", 128, 49152), 4);
    EXPECT_EQ(blocks("empty", 128, 49153), 0);
    EXPECT_EQ(blocks("tiled", 128, 49152), 0);
    EXPECT_EQ(blocks("bounded", 512), 4);
    EXPECT_EQ(cuFuncSetAttribute(function("empty"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200000).status,
              CUDA_SUCCESS);
    EXPECT_EQ(blocks("empty", 128, 100000), 2);
}

TEST_F(SimOccupancyTest, FindsTheBestBlockSize) {
    const auto best = [&](const char* name, CUoccupancyB2DSize bytes, int limit) {
        auto [status, grid, block] = cuOccupancyMaxPotentialBlockSize(function(name), bytes, 0, limit);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return std::pair(grid, block);
    };
    EXPECT_EQ(best("empty", nullptr, 0), std::pair(264, 1024));
    EXPECT_EQ(best("empty", nullptr, 100), std::pair(4224, 64));
    EXPECT_EQ(best("bounded", nullptr, 0), std::pair(1056, 256));
    EXPECT_EQ(best(
                  "empty", [](int size) { return static_cast<std::size_t>(size) * 400; }, 0),
              std::pair(1056, 64));
}

TEST_F(SimOccupancyTest, ReturnsTheAvailableSharedMemory) {
    const auto available = [&](const char* name, int count) {
        return cuOccupancyAvailableDynamicSMemPerBlock(function(name), count, 64);
    };
    EXPECT_EQ(available("empty", 1).value, 49152u);
    EXPECT_EQ(available("empty", 16).value, 14592u);
    EXPECT_EQ(available("tiled", 32).value, 6272u);
    EXPECT_EQ(available("empty", 33).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(available("empty", 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimOccupancyTest, ReturnsTheNumberOfClusters) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {2, 1, 1};
    CUlaunchConfig config{4, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
    EXPECT_EQ(cuOccupancyMaxActiveClusters(function("empty"), &config).value, 528);
    attribute.value.clusterDim = {16, 1, 1};
    EXPECT_EQ(cuOccupancyMaxActiveClusters(function("empty"), &config).status, CUDA_ERROR_INVALID_CLUSTER_SIZE);
    config.numAttrs = 0;
    EXPECT_EQ(cuOccupancyMaxActiveClusters(function("empty"), &config).value, 0);
    EXPECT_EQ(cuOccupancyMaxPotentialClusterSize(function("empty"), &config).value, 8);
    config.blockDimX = 2000;
    EXPECT_EQ(cuOccupancyMaxPotentialClusterSize(function("empty"), &config).value, 0);
}

TEST_F(SimOccupancyTest, RejectsInvalidArguments) {
    const CUfunction empty = function("empty");
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, 32, 0).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(empty, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(empty, -1, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(empty, 32, 0, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(empty, nullptr, 0, -1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuOccupancyMaxActiveClusters(empty, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
