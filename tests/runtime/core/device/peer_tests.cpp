// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_luid.hpp>
#include <cubind/core/device/peer_attributes.hpp>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PeerTest : public CoreTest {
protected:
    explicit PeerTest(const sim::Options& options = {.devices = 3}) : CoreTest(options) {}

    Device device{1};
};

TEST_F(PeerTest, AreTheOtherDevicesThatADeviceCanAccess) {
    EXPECT_THAT(device.peers(), ElementsAre(Device(0), Device(2)));
    sim::install({.devices = 1});
    EXPECT_THAT(Device(0).peers(), IsEmpty());
}

TEST_F(PeerTest, HaveTheAttributesOfTheirConnection) {
    const PeerAttributes expected{.performance_rank = 0,
                                  .access_supported = true,
                                  .native_atomics_supported = true,
                                  .only_partial_native_atomics_supported = false,
                                  .array_access_supported = true};
    EXPECT_EQ(device.p2p_attribute(Device(2)), expected);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)device.p2p_attribute(device); }), HasSubstr("device 1"));
}

TEST_F(PeerTest, HaveNativeAtomicOperations) {
    EXPECT_FALSE(device.peer_atomics(Device(0), driver::CU_ATOMIC_OPERATION_INTEGER_ADD)) << "as the driver of CUDA 13.0 says";
    const AtomicCapabilities add{driver::CU_ATOMIC_CAPABILITY_SIGNED | driver::CU_ATOMIC_CAPABILITY_SCALAR_64};
    EXPECT_TRUE(add);
    EXPECT_TRUE(add.has(driver::CU_ATOMIC_CAPABILITY_SCALAR_64));
    EXPECT_FALSE(add.has(driver::CU_ATOMIC_CAPABILITY_SCALAR_128));
    EXPECT_FALSE(device.host_atomics(driver::CU_ATOMIC_OPERATION_CAS)) << "a bus without atomic operations";
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)device.peer_atomics(device, driver::CU_ATOMIC_OPERATION_AND); }),
                HasSubstr("device 1"));
    EXPECT_THROW((void)device.host_atomics(static_cast<driver::CUatomicOperation>(99)), Error);
}

TEST_F(PeerTest, ReportsAFailureOfEachCall) {
    EXPECT_EQ(sweep([&] { (void)device.peers(); }), 2u);
    EXPECT_EQ(sweep([&] { (void)device.p2p_attribute(Device(0)); }), 5u);
    EXPECT_EQ(sweep([&] { (void)device.peer_atomics(Device(0), driver::CU_ATOMIC_OPERATION_AND); }), 1u);
    EXPECT_EQ(sweep([&] { (void)device.host_atomics(driver::CU_ATOMIC_OPERATION_AND); }), 1u);
}

TEST_F(PeerTest, HaveALuidOnWindowsOnly) {
    EXPECT_THAT(message_of<Error>([&] { (void)device.luid(); }),
                AllOf(HasSubstr("cuDeviceGetLuid"), HasSubstr("Windows"), HasSubstr("uuid()")));
}

/// A driver without the attributes of CUDA 13.0.
class PeerOfOldDriverTest : public PeerTest {
protected:
    PeerOfOldDriverTest() : PeerTest({.devices = 2, .release = "12.9"}) {}
};

TEST_F(PeerOfOldDriverTest, HaveTheOlderAttributes) {
    EXPECT_TRUE(device.p2p_attribute(Device(0)).access_supported);
    EXPECT_EQ(sweep([&] { (void)device.p2p_attribute(Device(0)); }), 4u);
    EXPECT_THAT(message_of<Error>([&] { (void)device.host_atomics(driver::CU_ATOMIC_OPERATION_AND); }),
                HasSubstr("cuDeviceGetHostAtomicCapabilities"));
}

}  // namespace
}  // namespace cubind::testing
