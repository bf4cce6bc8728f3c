// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/checked_launch.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

TEST_F(LaunchTest, ManyThreadsLaunchOneKernel) {
    constexpr int threads = 8;
    constexpr int launches = 20;
    std::atomic<int> ran{0};
    sim::define_kernel("saxpy", [&](const sim::Launch&, float, float*, float*, std::size_t) { ++ran; });
    const Kernel saxpy = kernel("saxpy");
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
        all.emplace_back([&, thread] {
            const Stream own(Device(thread % 2));
            for (int i = 0; i < launches; ++i) {
                const LaunchConfig config{.shared_memory_size = i % 2 == 0 ? 60000u : 1000u};
                if (thread % 4 < 2) {
                    launch(own, config, saxpy, 1.0f, nullptr, nullptr, std::size_t{1});
                } else {
                    checked_launch(own, config, saxpy, 1.0f, nullptr, nullptr, std::size_t{1});
                }
            }
            own.synchronize();
        });
    }
    for (std::thread& each : all) each.join();
    EXPECT_EQ(ran, threads * launches);
}

}  // namespace
}  // namespace cubind::testing
