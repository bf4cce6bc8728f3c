// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/constants.hpp>

#include <cstdint>
#include <string_view>

#include "choices.hpp"
#include "ptx/run/device_runtime.hpp"

namespace cubind::fuzz {

namespace ptx = cubind::sim::ptx;
using cubind::sim::Extent3;

inline constexpr std::uint64_t max_threads_of_block = 1024;
inline constexpr std::uint64_t max_blocks_of_launch = 24;

inline std::uint64_t count_of(const Extent3& extent) noexcept {
    return std::uint64_t{extent.x} * extent.y * extent.z;
}

/// How a kernel is launched. The text of an input decides, so that the input alone repeats a launch.
struct LaunchShape {
    Extent3 grid;
    Extent3 block;
    Extent3 cluster;
    bool is_explicit_cluster = false;
    bool is_cooperative = false;
    unsigned workers = 1;
    std::uint64_t seed = 0;

    explicit LaunchShape(std::string_view text) {
        std::uint64_t hash = 0xcbf29ce484222325;
        for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
        Choices choices(hash);
        constexpr Extent3 blocks[] = {{1, 1, 1},   {2, 1, 1},    {31, 1, 1},  {32, 1, 1}, {33, 1, 1},   {64, 1, 1},
                                      {8, 4, 2},   {1, 1, 64},   {128, 1, 1}, {7, 11, 3}, {1023, 1, 1}, {1024, 1, 1},
                                      {16, 16, 4}, {1, 1024, 1}, {992, 1, 1}, {257, 1, 1}};
        constexpr Extent3 clusters[] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 2}, {8, 1, 1}, {3, 1, 1}};
        block = blocks[choices.below(std::size(blocks))];
        is_explicit_cluster = choices.one_in(2);
        if (is_explicit_cluster) cluster = clusters[choices.below(std::size(clusters))];
        const auto repeat = [&](unsigned size) { return size * static_cast<unsigned>(1 + choices.below(size > 2 ? 2 : 3)); };
        grid = {repeat(cluster.x), choices.one_in(4) ? repeat(cluster.y) : cluster.y, cluster.z};
        if (count_of(grid) > max_blocks_of_launch) grid = cluster;
        is_cooperative = choices.one_in(3);
        workers = static_cast<unsigned>(1 + choices.below(3));
        seed = choices.one_in(2) ? 0 : choices.word();
    }
};

/// What kernels need to launch others: small launches only, and no graphs.
class LaunchHost final : public ptx::DeviceRuntimeHost {
public:
    bool check(ptx::GridRequest& request) override {
        const std::uint64_t threads = count_of(request.block);
        const std::uint64_t blocks = count_of(request.grid);
        constexpr std::size_t max_shared_bytes = 1 << 16;
        request.cluster = {};
        request.is_explicit_cluster = false;
        return threads != 0 && threads <= max_threads_of_block && blocks != 0 && blocks <= max_blocks_of_launch &&
               request.block.z <= 64 && request.dynamic_shared_bytes <= max_shared_bytes &&
               request.kernel->shared_bytes <= max_shared_bytes;
    }
    std::function<ptx::GridResult(const ptx::GridRequest&)> find_body(const ptx::GridRequest&) override { return {}; }
    std::optional<ptx::DeviceError> launch_graph(std::uint64_t, ptx::GraphStream) override { return std::nullopt; }
    std::optional<int> find_attribute(int, int attribute) override { return attribute; }
    std::optional<std::size_t> find_limit(int limit) override { return static_cast<std::size_t>(limit); }
    int device() const override { return 0; }
    int device_count() const override { return 1; }
    std::size_t max_pending_launches() const override { return 64; }
};

}  // namespace cubind::fuzz
