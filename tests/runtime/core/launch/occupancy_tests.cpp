// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/launch/occupancy.hpp>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class KernelOccupancyTest : public CodeTest {};

TEST_F(KernelOccupancyTest, ReturnsTheActiveBlocks) {
    const KernelOccupancy saxpy = code().kernel("saxpy").occupancy();
    EXPECT_EQ(saxpy.device(), Device(0));
    EXPECT_EQ(saxpy.max_active_blocks_per_multiprocessor(1024), 2);
    EXPECT_GT(saxpy.max_active_blocks_per_multiprocessor(128), saxpy.max_active_blocks_per_multiprocessor(512));
    EXPECT_EQ(saxpy.max_active_blocks_per_multiprocessor(1024, 40 << 10), 2);
    EXPECT_EQ(saxpy.max_active_blocks_per_multiprocessor(1 << 20), 0) << "such a block cannot run";
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
}

TEST_F(KernelOccupancyTest, ReturnsTheBestBlock) {
    const ObjectCode one = code();
    const auto [grid, block] = one.kernel("saxpy").occupancy().max_potential_block_size();
    EXPECT_EQ(block % 32, 0);
    EXPECT_GT(block, 0);
    EXPECT_GT(grid, 0);
    EXPECT_EQ(one.kernel("tiled").occupancy(Device(1)).max_potential_block_size().max_block_size, 256)
        << "its code allows no more";
    EXPECT_LE(one.kernel("saxpy").occupancy().max_potential_block_size(0, 96).max_block_size, 96);
}

std::size_t one_megabyte_beyond_a_warp(int threads) {
    return threads <= 32 ? std::size_t{0} : std::size_t{1} << 20;
}

TEST_F(KernelOccupancyTest, CallsAFunctionForTheMemoryOfABlock) {
    const KernelOccupancy saxpy = code().kernel("saxpy").occupancy();
    int calls = 0;
    const auto small = saxpy.max_potential_block_size([&](int threads) {
        ++calls;
        return threads <= 64 ? std::size_t{0} : std::size_t{1} << 20;
    });
    EXPECT_GT(calls, 0);
    EXPECT_LE(small.max_block_size, 64);
    const auto limited = saxpy.max_potential_block_size([](int) { return 0; }, 128);
    EXPECT_LE(limited.max_block_size, 128);
    EXPECT_EQ(saxpy.max_potential_block_size(one_megabyte_beyond_a_warp).max_block_size, 32);
    EXPECT_EQ(saxpy.max_potential_block_size(&one_megabyte_beyond_a_warp).max_block_size, 32);
}

TEST_F(KernelOccupancyTest, RethrowsExceptionsOfTheFunction) {
    const KernelOccupancy saxpy = code().kernel("saxpy").occupancy();
    const auto throwing = [](int) -> std::size_t { throw std::runtime_error("thrown by the function"); };
    EXPECT_EQ(message_of<std::runtime_error>([&] { (void)saxpy.max_potential_block_size(throwing); }), "thrown by the function");
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
    const auto nested = [&](int) {
        return static_cast<std::size_t>(saxpy.max_potential_block_size([](int) { return 0; }).min_grid_size);
    };
    EXPECT_GT(saxpy.max_potential_block_size(nested).max_block_size, 0);
}

TEST_F(KernelOccupancyTest, ReturnsTheAvailableSharedMemory) {
    const KernelOccupancy saxpy = code().kernel("saxpy").occupancy();
    const std::size_t alone = saxpy.available_dynamic_shared_memory_per_block(1, 128);
    const std::size_t of_four = saxpy.available_dynamic_shared_memory_per_block(4, 128);
    EXPECT_GT(of_four, 0u);
    EXPECT_GE(alone, of_four);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)saxpy.available_dynamic_shared_memory_per_block(3, 1024); }),
                AllOf(HasSubstr("3 blocks of 1024 threads"), HasSubstr("limit is 2")));
}

TEST_F(KernelOccupancyTest, ReturnsTheSizeAndNumberOfClusters) {
    const ObjectCode one = code();
    const LaunchConfig config{.grid = 64, .block = 128};
    const Kernel saxpy = one.kernel("saxpy");
    EXPECT_EQ(saxpy.occupancy().max_potential_cluster_size(config), 8);
    saxpy.attributes(Device(1)).set_non_portable_cluster_size_allowed(true);
    EXPECT_EQ(saxpy.occupancy(Device(1)).max_potential_cluster_size(config), 16);
    EXPECT_GT(one.kernel("clustered").occupancy().max_active_clusters(config), 0);
    const LaunchConfig in_fours{.grid = 64, .block = 128, .cluster = 4};
    const LaunchConfig in_eights{.grid = 64, .block = 128, .cluster = 8};
    EXPECT_GT(saxpy.occupancy().max_active_clusters(in_fours), saxpy.occupancy().max_active_clusters(in_eights));
}

TEST_F(KernelOccupancyTest, RefusesSizesThatAreNotPositive) {
    const KernelOccupancy saxpy = code().kernel("saxpy").occupancy();
    const auto message = [](const std::function<void()>& operation) { return message_of<std::invalid_argument>(operation); };
    EXPECT_THAT(message([&] { (void)saxpy.max_active_blocks_per_multiprocessor(0); }), HasSubstr("block_size is 0"));
    EXPECT_THAT(message([&] { (void)saxpy.max_potential_block_size(0, -1); }), HasSubstr("block_size_limit is -1"));
    EXPECT_THAT(message([&] { (void)saxpy.max_potential_block_size([](int) { return 0; }, -1); }),
                HasSubstr("block_size_limit is -1"));
    EXPECT_THAT(message([&] { (void)saxpy.available_dynamic_shared_memory_per_block(0, 32); }),
                HasSubstr("blocks_per_multiprocessor is 0"));
    EXPECT_THAT(message([&] { (void)saxpy.available_dynamic_shared_memory_per_block(1, -5); }), HasSubstr("block_size is -5"));
    EXPECT_THAT(message([&] { (void)saxpy.max_active_clusters({.shared_memory_size = std::size_t{1} << 32}); }),
                HasSubstr("4294967296"));
    EXPECT_THAT(message([&] { (void)saxpy.max_potential_cluster_size({.shared_memory_size = std::size_t{1} << 32}); }),
                HasSubstr("4294967296"));
}

TEST_F(KernelOccupancyTest, ReportsEachCallThatFailsInASweep) {
    const Kernel kernel = code().kernel("saxpy");
    const LaunchConfig config{.grid = 64, .block = 128};
    const KernelOccupancy occupancy = kernel.occupancy(Device(1));
    sweep([&] { (void)occupancy.max_active_blocks_per_multiprocessor(64); }, current_device);
    sweep([&] { (void)occupancy.max_potential_block_size(); }, current_device);
    sweep([&] { (void)occupancy.max_potential_block_size([](int) { return 0; }); }, current_device);
    sweep([&] { (void)occupancy.available_dynamic_shared_memory_per_block(1, 64); }, current_device);
    sweep([&] { (void)occupancy.max_potential_cluster_size(config); }, current_device);
    sweep([&] { (void)occupancy.max_active_clusters(config); }, current_device);
}

}  // namespace
}  // namespace cubind::testing
