// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/stream.hpp>
#include <cubind/nvtx/profiler_range.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

class ProfilerRangeTest : public CoreTest {
protected:
    static unsigned long starts() { return layers::faults::calls("cuProfilerStart"); }
    static unsigned long stops() { return layers::faults::calls("cuProfilerStop"); }

    void SetUp() override {
        CoreTest::SetUp();
        (void)device.primary_context();
        layers::faults::start();
    }
    void TearDown() override {
        layers::faults::stop();
        CoreTest::TearDown();
    }

    Device device{0};
};

TEST_F(ProfilerRangeTest, StartsAndStops) {
    {
        const ProfilerRange range;
        EXPECT_EQ(starts(), 1u);
        EXPECT_EQ(stops(), 0u);
        EXPECT_FALSE(ContextRef::current());
    }
    EXPECT_EQ(stops(), 1u);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ProfilerRangeTest, WaitsForTheWorkOfItsContext) {
    const Context context(device);
    const Stream stream = [&] {
        const ScopedContext scope(context);
        return Stream(device);
    }();
    std::atomic<bool> is_done{false};
    {
        const ProfilerRange range{context};
        stream.launch_host_function([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            is_done = true;
        });
    }
    EXPECT_TRUE(is_done);
    EXPECT_EQ(stops(), 1u);
}

TEST_F(ProfilerRangeTest, RefusesAnEmptyContext) {
    EXPECT_THROW((void)ProfilerRange{ContextRef()}, std::invalid_argument);
    EXPECT_EQ(starts(), 0u);
}

TEST_F(ProfilerRangeTest, SweepReportsFailures) {
    layers::faults::stop();
    const Context context(device);
    sweep([&] { const ProfilerRange range{context}; });
}

}  // namespace
}  // namespace cubind::testing
