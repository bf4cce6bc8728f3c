// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Lifetimes on a GPU: contexts that end before their objects, captures of other code, objects that work retains. Each test must
// run in its own process, because it resets the primary context.

#include <cubind/driver/context.hpp>

#include "cleanup_failures.hpp"
#include "context_lifetime.hpp"
#include "foreign_capture.hpp"
#include "waiting_launches.hpp"

namespace cubind::testing {
namespace {

class LifetimeGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            (void)Device();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        count_cleanup_failures();
    }
    void TearDown() override { EXPECT_EQ(cleanup_failures, 0); }
};

TEST_F(LifetimeGpuTest, DeviceWorksAfterAResetOfItsPrimaryContext) {
    expect_usable_after_resets(Device(0));
}

// Tests no events, because the driver itself may crash when an event of a destroyed context is used.
TEST_F(LifetimeGpuTest, StreamsAndMemoryOutliveTheirContext) {
    for (int round = 0; round < 20; ++round) {
        Context context(Device(0));
        const Stream stream(context);
        const Buffer buffer = Device(0).allocate(stream, 16);
        context.close();
    }
    EXPECT_EQ(used_by_default_pool(), 0u);
}

TEST_F(LifetimeGpuTest, MemoryBelongsToTheGraphOfAForeignCapture) {
    const Device device(0);
    device.set_current();
    const Stream stream(device);
    const driver::CUstream foreign = check(driver::cuStreamCreate(driver::CU_STREAM_NON_BLOCKING));
    for (const StreamRef captured : {StreamRef(stream), StreamRef(foreign), StreamRef::per_thread_default()}) {
        expect_owned_by_a_foreign_capture(device, captured);
    }
    check(driver::cuStreamDestroy(foreign));
}

TEST_F(LifetimeGpuTest, SynchronizeReleasesTheObjectsOfAGraph) {
    const Device device(0);
    const Stream stream(device);
    for (int round = 0; round < 20; ++round) {
        WaitingLaunches of_stream(stream);
        of_stream.start();
        stream.synchronize();
        EXPECT_FALSE(of_stream.is_retained());
        WaitingLaunches of_device(stream);
        of_device.start();
        device.synchronize();
        EXPECT_FALSE(of_device.is_retained());
    }
}

}  // namespace
}  // namespace cubind::testing
