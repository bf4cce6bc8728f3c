// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <utility>

#include "system_test.hpp"

namespace cubind::testing {
namespace {

using std::chrono::milliseconds;
using system::DeviceEvent;
using system::DeviceEvents;
using system::EventType;
using system::SystemEvents;
using system::SystemEventType;

class SystemEventTest : public SystemTest {};

TEST_F(SystemEventTest, ReturnsSupportedTypes) {
    EXPECT_TRUE(gpu_.supported_event_types().has(EventType::xid_critical_error));
    EXPECT_FALSE(gpu_.supported_event_types().has(EventType::double_bit_ecc_error));
    EXPECT_EQ(error_of([&] { static_cast<void>(gpu_.register_events(EventType::double_bit_ecc_error)); }).code(),
              nvml::NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(living_sets(), 0);
}

TEST_F(SystemEventTest, WaitsForAnEventOfADevice) {
    DeviceEvents events = gpu_.register_events(EventType::xid_critical_error | EventType::clock);
    events.add(divided_, EventType::clock);
    const std::optional<DeviceEvent> event = events.wait(milliseconds(7));
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->device(), divided_);
    EXPECT_EQ(event->type(), EventType::xid_critical_error);
    EXPECT_EQ(event->data(), 7u) << "the stand-in returns the timeout";
    EXPECT_EQ(events.wait(milliseconds(0)), std::nullopt);
}

TEST_F(SystemEventTest, IsARangeThatEndsAfterTheTimeout) {
    DeviceEvents events = gpu_.register_events(EventType::clock);
    int count = 0;
    for (const DeviceEvent& event : events.each(milliseconds(9))) count += event.data() == 9 ? 1 : 0;
    EXPECT_EQ(count, 2);
    static_assert(std::ranges::input_range<system::DeviceEventRange>);
}

TEST_F(SystemEventTest, LimitsTheTimeout) {
    DeviceEvents events;
    EXPECT_EQ(events.wait(std::chrono::hours(10000))->data(), ~0u);
    EXPECT_THROW(static_cast<void>(events.wait(milliseconds(-1))), std::invalid_argument);
}

TEST_F(SystemEventTest, OwnsItsSet) {
    DeviceEvents first;
    DeviceEvents second = std::move(first);
    EXPECT_TRUE(first.is_closed());  // NOLINT(bugprone-use-after-move)
    EXPECT_NE(second.native_handle(), nullptr);
    EXPECT_EQ(living_sets(), 1);
    second = DeviceEvents();
    EXPECT_EQ(living_sets(), 1);
    second.close();
    second.close();
    EXPECT_EQ(living_sets(), 0);
    EXPECT_THROW(static_cast<void>(second.wait(milliseconds(0))), std::invalid_argument);
    EXPECT_THROW(second.add(gpu_, EventType::clock), std::invalid_argument);
}

TEST_F(SystemEventTest, ReportsAFailureToClose) {
    define("nvmlEventSetFree", [](nvml::nvmlEventSet_t) { return nvml::NVML_ERROR_UNKNOWN; });
    DeviceEvents events;
    EXPECT_EQ(error_of([&] { events.close(); }).function(), "nvmlEventSetFree");
    EXPECT_TRUE(events.is_closed());
}

TEST_F(SystemEventTest, WaitsForEventsOfTheMachine) {
    SystemEvents events(SystemEventType::gpu_driver_bind | SystemEventType::gpu_driver_unbind);
    const std::vector<system::SystemEvent> found = events.wait(milliseconds(5));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].type, SystemEventType::gpu_driver_unbind);
    EXPECT_EQ(found[1].type, SystemEventType::gpu_driver_bind);
    EXPECT_EQ(found[1].gpu_id, 0x3b01u);
    EXPECT_EQ(events.wait(milliseconds(5), 1).size(), 1u);
    EXPECT_TRUE(events.wait(milliseconds(0)).empty());
    EXPECT_THROW(static_cast<void>(events.wait(milliseconds(5), 0)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(events.wait(milliseconds(-5))), std::invalid_argument);
}

TEST_F(SystemEventTest, RejectsMoreEventsThanNvmlCounts) {
    SystemEvents events(SystemEventType::gpu_driver_bind);
    try {
        static_cast<void>(events.wait(milliseconds(5), (std::size_t{1} << 32) + 1));
        FAIL() << "wait() did not throw";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("4294967297"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("4294967295"), std::string::npos) << error.what();
    }
}

TEST_F(SystemEventTest, FreesTheSetOfTheMachine) {
    SystemEvents first(SystemEventType::gpu_driver_bind);
    SystemEvents second = std::move(first);
    EXPECT_TRUE(first.is_closed());  // NOLINT(bugprone-use-after-move)
    second = SystemEvents(SystemEventType::gpu_driver_bind);
    EXPECT_EQ(living_sets(), 1);
    second.close();
    EXPECT_EQ(living_sets(), 0);
    EXPECT_THROW(static_cast<void>(second.wait(milliseconds(0))), std::invalid_argument);
    EXPECT_THROW(SystemEvents(system::Flags<SystemEventType>(8)), Error);
    EXPECT_EQ(living_sets(), 0);
}

}  // namespace
}  // namespace cubind::testing
