// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/primary_context.hpp>

#include <thread>
#include <unordered_set>

#include "context_lifetime.hpp"
#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

class DeviceTest : public CoreTest {};

TEST_F(DeviceTest, IsTheCurrentDeviceOrTheFirst) {
    EXPECT_EQ(Device().ordinal(), 0);
    Device(1).set_current();
    EXPECT_EQ(Device().ordinal(), 1);
    EXPECT_NE(Device(), Device(0));
    std::thread([] { EXPECT_EQ(Device(), Device(0)); }).join();
}

TEST_F(DeviceTest, BelongsToASimulatedDriver) {
    EXPECT_TRUE(is_simulated_driver());
}

TEST_F(DeviceTest, RejectsAnOrdinalThatDoesNotExist) {
    EXPECT_EQ(Device::count(), 2);
    EXPECT_THAT(Device::all(), ::testing::ElementsAre(Device(0), Device(1)));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Device(2); }),
                ::testing::AllOf(HasSubstr("device 2"), HasSubstr("can use 2")));
    EXPECT_THROW((void)Device(-1), std::invalid_argument);
}

TEST_F(DeviceTest, CreatesNoContextForQueries) {
    for (const Device device : Device::all()) {
        (void)device.name();
        (void)device.properties().attribute(driver::CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    }
    EXPECT_EQ(driver::cuDevicePrimaryCtxGetState(0).value2, 0);
    (void)Device(1).memory_info();
    EXPECT_EQ(driver::cuDevicePrimaryCtxGetState(0).value2, 0);
    EXPECT_NE(driver::cuDevicePrimaryCtxGetState(1).value2, 0);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(DeviceTest, ReturnsItsProperties) {
    const Device device(1);
    EXPECT_THAT(device.name(), ::testing::Not(::testing::IsEmpty()));
    EXPECT_EQ(device.compute_capability(), (ComputeCapability{9, 0}));
    EXPECT_GT(device.compute_capability(), (ComputeCapability{8, 9}));
    EXPECT_EQ(device.arch(), "90");
    EXPECT_THAT(device.uuid(), ::testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"));
    EXPECT_NE(device.uuid(), Device(0).uuid());
    EXPECT_EQ(Device::from_pci_bus_id(device.pci_bus_id()), device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)Device::from_pci_bus_id(device.pci_bus_id() + '\0'); }),
                HasSubstr("a NUL at byte"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Device::from_pci_bus_id("ffff:ff:1f.7"); }),
                HasSubstr("ffff:ff:1f.7"));
    EXPECT_EQ(device.memory_info().total, std::size_t{8} << 30);
    EXPECT_LE(device.memory_info().free, device.memory_info().total);
}

TEST_F(DeviceTest, HasLimits) {
    Device(1).set_limit(driver::CU_LIMIT_STACK_SIZE, 4096);
    EXPECT_EQ(Device(1).limit(driver::CU_LIMIT_STACK_SIZE), 4096u);
    EXPECT_NE(Device(0).limit(driver::CU_LIMIT_STACK_SIZE), 4096u);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(DeviceTest, QueriesAnAttributeOnce) {
    layers::faults::start();
    const DeviceProperties properties = Device(0).properties();
    EXPECT_EQ(properties.attribute(driver::CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
    const auto calls = layers::faults::calls("cuDeviceGetAttribute");
    EXPECT_EQ(Device(0).properties().attribute(driver::CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
    EXPECT_EQ(layers::faults::calls("cuDeviceGetAttribute"), calls);
    const layers::Unobserved unknown;  // no release has this attribute, so that only the driver can reject it
    EXPECT_EQ(properties.attribute(driver::CUdevice_attribute(12345)), 0);
}

TEST_F(DeviceTest, HasNamedAttributes) {
    const DeviceProperties properties = Device(1).properties();
    EXPECT_EQ(properties.warp_size(), 32);
    EXPECT_EQ(properties.compute_capability_major(), 9);
    EXPECT_EQ(properties.max_threads_per_block(), 1024);
    EXPECT_TRUE(properties.cooperative_launch());
    EXPECT_TRUE(properties.memory_pools_supported());
    EXPECT_FALSE(properties.tcc_driver());
}

TEST_F(DeviceTest, ChangesTheCurrentContextOnlyInSetCurrent) {
    EXPECT_FALSE(Device(0).set_current());
    Device(1).synchronize();
    (void)Device(1).memory_info();
    EXPECT_EQ(ContextRef::current(), Device(0).primary_context());
    EXPECT_EQ(Device(1).set_current(), Device(0).primary_context());
}

TEST_F(DeviceTest, EnablesAndDisablesPeerAccess) {
    EXPECT_TRUE(Device(0).can_access_peer(Device(1)));
    EXPECT_FALSE(Device(0).can_access_peer(Device(0)));
    Device(0).enable_peer_access(Device(1));
    Device(0).enable_peer_access(Device(1));
    Device(0).disable_peer_access(Device(1));
    Device(0).disable_peer_access(Device(1));
    EXPECT_THROW(Device(0).enable_peer_access(Device(0)), Error);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(DeviceTest, MakesNoCallThatFailsIfNoContextIsCurrent) {
    (void)Device(1).primary_context();
    layers::faults::start();
    (void)Device();
    (void)Device(1).context();
    EXPECT_EQ(layers::faults::calls("cuCtxGetDevice"), 0u);
    layers::faults::stop();
}

TEST_F(DeviceTest, IsAKeyOfUnorderedContainers) {
    EXPECT_EQ(std::unordered_set<Device>({Device(0), Device(1), Device()}).size(), 2u);
}

TEST_F(DeviceTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep(
                  [] {
                      const Device device(1);
                      (void)device.name();
                      (void)device.uuid();
                      (void)Device::from_pci_bus_id(device.pci_bus_id());
                      (void)device.memory_info();
                      device.synchronize();
                      (void)device.can_access_peer(Device(0));
                      device.enable_peer_access(Device(0));
                      device.disable_peer_access(Device(0));
                  },
                  {"cuCtxGetDevice"}),
              10u);
}

// Runs an operation whose results are cached for the process, and makes each of its calls fail in turn. Returns the functions
// that failed.
std::vector<std::string> failed_in(const std::function<void()>& first_use, const std::vector<std::string>& except = {}) {
    std::vector<std::string> failed;
    const auto after = [&](const layers::faults::Fault& fault) {
        failed.push_back(fault.function);
        // The call fails before the driver is initialized. ContextRef::current() would initialize it.
        const layers::Unobserved own_call;
        EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
    };
    layers::faults::fail_each_call(first_use, {.status = driver::CUDA_ERROR_UNKNOWN, .except = except, .after = after});
    return failed;
}

TEST_F(DeviceTest, ReportsAFailureOfEachCallOfTheFirstUse) {
    EXPECT_THAT(failed_in([] { (void)Device(1).primary_context(); }),
                ::testing::IsSupersetOf({"cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain"}));
    EXPECT_EQ(Device(1).primary_context().device(), Device(1));
}

TEST_F(DeviceTest, ReportsAFailureOfEachCallForTheFirstMemory) {
    // A cached call is made only until it succeeds once. The numbers of the calls after it then decrease by one, so a sweep that
    // includes such calls would skip the call after each of them.
    EXPECT_THAT(
        failed_in([] { (void)Device(1).memory_resource(); },
                  {"cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetAttribute", "cuThreadExchangeStreamCaptureMode"}),
        ::testing::Contains("cuDeviceGetDefaultMemPool"));
    EXPECT_TRUE(Device(1).memory_resource().is_device_accessible());
}

class NoDeviceTest : public CoreTest {
protected:
    NoDeviceTest() : CoreTest({.devices = 0}) {}
};

TEST_F(NoDeviceTest, ThrowsANamedError) {
    EXPECT_THAT(message_of<Error>([] { Device(); }), HasSubstr("CUDA_ERROR_NO_DEVICE"));
    EXPECT_THROW((void)Device::all(), Error);
}

TEST_F(DeviceTest, WorksAfterAResetOfItsPrimaryContext) {
    for (const Device device : Device::all()) expect_usable_after_resets(device);
}

TEST_F(DeviceTest, RetainsItsPrimaryContextOnceBetweenResets) {
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 3; ++i) expect_usable(Device(0));
        check(driver::cuDevicePrimaryCtxRelease(0));
        EXPECT_EQ(driver::cuDevicePrimaryCtxGetState(0).value2, 0) << "the device had retained the context once";
    }
}

TEST_F(DeviceTest, WorksOnEachNewSimulatedDriver) {
    const Device device(1);
    for (int devices = 2; devices < 5; ++devices) {
        sim::install({.devices = devices, .memory = std::size_t{1} << 20});
        EXPECT_EQ(Device::count(), devices);
        expect_usable(device);
        EXPECT_EQ(device.memory_info().total, std::size_t{1} << 20);
        sim::uninstall();
    }
}

}  // namespace
}  // namespace cubind::testing
