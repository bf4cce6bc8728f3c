// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

TEST_F(LaunchTest, RunsOnManyThreadsWithOneKernel) {
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
                    launch_validated(own, config, saxpy, 1.0f, nullptr, nullptr, std::size_t{1});
                }
            }
            own.synchronize();
        });
    }
    for (std::thread& each : all) each.join();
    EXPECT_EQ(ran, threads * launches);
}

// A driver that does not report the number of parameters. A launch with more arguments than before extends the list of known
// parameters.
class LaunchOn124Test : public LaunchTest {
protected:
    LaunchOn124Test() : LaunchTest(sim::Options{.release = "12.4"}) {}
};

TEST_F(LaunchOn124Test, ComparesOnManyThreadsWhileParametersAreRead) {
    constexpr int threads = 8;
    const Kernel saxpy = kernel("saxpy");
    std::atomic<int> refused{0};
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
        all.emplace_back([&, thread] {
            const Stream own(Device(0));
            const auto expect_refusal = [&](const auto&... arguments) {
                try {
                    launch(own, {}, saxpy, arguments...);
                } catch (const std::invalid_argument&) {
                    ++refused;
                }
            };
            if (thread % 2 == 0) {
                expect_refusal(1.0);
                expect_refusal(1.0f, nullptr, 3);
            }
            launch(own, {}, saxpy, 1.0f, nullptr, nullptr, std::size_t{1});
            expect_refusal(1.0f, nullptr, nullptr, std::size_t{1}, 2);
            own.synchronize();
        });
    }
    for (std::thread& each : all) each.join();
    EXPECT_EQ(refused, threads * 2);
    EXPECT_EQ(sim::launches().size(), std::size_t{threads});
}

}  // namespace
}  // namespace cubind::testing
