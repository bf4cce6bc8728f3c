// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

std::atomic<unsigned long> calls_counted{0};

void count_call(const cubind::Call& call) noexcept {
    calls_counted.fetch_add(1, std::memory_order_relaxed);
    call.proceed();
}

class InterceptRaceTest : public ::testing::Test {
protected:
    void SetUp() override { cubind::sim::install({.devices = 2}); }
    void TearDown() override {
        cubind::intercept(layers::libraries(), nullptr);
        cubind::sim::uninstall();
    }
};

TEST_F(InterceptRaceTest, AllowsCallsWhileInterceptionIsSwitched) {
    ASSERT_TRUE(cuInit(0).ok());
    std::atomic<int> running{3};
    in_threads(4, [&](int index) {
        if (index == 3) {
            while (running.load() > 0) {
                cubind::intercept(layers::libraries(), count_call);
                cubind::intercept(layers::libraries(), nullptr);
            }
            return;
        }
        for (int call = 0; call < 3000; ++call) {
            EXPECT_EQ(cuDeviceGetCount().value, 2);
            EXPECT_EQ(cuDeviceGet(call % 2).value, call % 2);
        }
        running.fetch_sub(1);
    });
}

TEST_F(InterceptRaceTest, AllowsLookupsWhileInterceptionIsSwitched) {
    std::atomic<int> running{3};
    in_threads(4, [&](int index) {
        if (index == 3) {
            while (running.load() > 0) {
                cubind::intercept(layers::libraries(), count_call);
                cubind::intercept(layers::libraries(), nullptr);
            }
            return;
        }
        for (cubind::EntryPoint* const entry : all_entry_points()) EXPECT_TRUE(has(*entry));
        running.fetch_sub(1);
    });
    cubind::intercept(layers::libraries(), count_call);
    const unsigned long before = calls_counted.load();
    EXPECT_TRUE(cuInit(0).ok());
    EXPECT_EQ(cuDeviceGetCount().value, 2);
    EXPECT_EQ(calls_counted.load(), before + 2) << "every function is intercepted at the end";
}

}  // namespace
}  // namespace cubind::testing
