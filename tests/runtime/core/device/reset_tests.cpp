// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/driver/primary_context.hpp>

#include <memory>

#include "core_test.hpp"
#include "reset_test.hpp"

namespace cubind::testing {
namespace {

class DeviceResetTest : public CoreTest {
protected:
    // Calls with handles of the context that has ended fail.
    void TearDown() override {
        (void)FailedCalls::get().take();
        CoreTest::TearDown();
    }
};

TEST_F(DeviceResetTest, RestoresDefaultsAndKeepsDevicesUsable) {
    expect_defaults_after_reset(Device(0));
    EXPECT_THAT(taken_cleanup_messages(), ::testing::IsEmpty()) << "objects from before are destroyed silently";
    Device(0).set_current();
    expect_defaults_after_reset(Device(0));
    expect_defaults_after_reset(Device(1));
}

TEST_F(DeviceResetTest, DoesNotCreateAContext) {
    const Device device(1);
    device.reset();
    EXPECT_EQ(driver::cuDevicePrimaryCtxGetState(device.native_handle()).value2, 0);
}

TEST_F(DeviceResetTest, DestroysObjectsThatWaitedForWork) {
    const Device device(0);
    Stream stream(device);
    const auto shared = std::make_shared<int>(1);
    stream.launch_host_function([shared] {});
    stream.synchronize();
    device.reset();
    EXPECT_TRUE(eventually([&] { return shared.use_count() == 1; }));
}

TEST_F(DeviceResetTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([] { Device(0).reset(); }), 1u);
}

/// Runs the shipped fixture on a simulated driver, which all tests of the suite share.
class DeviceTestTest : public cubind::DeviceTest {
protected:
    static void SetUpTestSuite() { sim::install({.devices = 1}); }
    static void TearDownTestSuite() { sim::uninstall(); }

    /// Expects defaults, and changes what the next test must not see.
    void change_everything() {
        EXPECT_EQ(device().limit(driver::CU_LIMIT_STACK_SIZE), 1024u);
        EXPECT_TRUE(device().memory_resource().is_device_accessible());
        EXPECT_FALSE(device().memory_resource().is_host_accessible());
        device().set_limit(driver::CU_LIMIT_STACK_SIZE, 65536);
        device().set_memory_resource(LegacyPinnedMemoryResource());
    }
};

TEST_F(DeviceTestTest, BeginsWithDefaults) {
    change_everything();
}

TEST_F(DeviceTestTest, BeginsWithDefaultsAgain) {
    change_everything();
}

}  // namespace
}  // namespace cubind::testing
