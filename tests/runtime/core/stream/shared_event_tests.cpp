// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/ipc_event_descriptor.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/context.hpp>

#include <optional>

#include "core_test.hpp"
#include "gate.hpp"
#include "other_process.hpp"
#include "sanitizers.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The other processes are children of fork(), although the fixture has used the driver before. A GPU does not allow this;
/// programs fork before.
class SharedEventTest : public CoreTest {
protected:
    SharedEventTest() : CoreTest(sim::Options{.devices = 2, .allows_fork = true}) {}

    void SetUp() override {
        CoreTest::SetUp();
        if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    }

    Device device{0};
    Stream stream{device};
};

TEST_F(SharedEventTest, OrdersTheWorkOfTwoProcesses) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto event = Event::from_ipc_descriptor(device, receive_value<IpcEventDescriptor>(socket));
        const bool was_done = event.is_done();
        std::atomic<bool> has_run{false};
        own.wait(event);
        own.launch_host_function([&] { has_run = true; });
        send_value(socket, 'x');
        event.synchronize();
        own.synchronize();
        own.record(event);  // the parent waits for this record
        own.synchronize();
        send_value(socket, 'y');
        return !was_done && has_run;
    });
    const Event event(device, {.ipc_enabled = true});
    {
        Gate gate(stream);
        stream.record(event);
        send_value(other.socket(), event.ipc_descriptor());
        (void)receive_value<char>(other.socket());
        EXPECT_FALSE(event.is_done());
    }
    EXPECT_EQ(receive_value<char>(other.socket()), 'y');
    event.synchronize();
    EXPECT_TRUE(event.is_done());
    EXPECT_EQ(other.end(), 0);
}

TEST_F(SharedEventTest, ReturnsADescriptorInAnyContext) {
    const Context other(device);
    Event event(device, {.ipc_enabled = true});
    const Event event_of_other(other, {.ipc_enabled = true});
    std::optional<IpcEventDescriptor> first, first_of_other;
    for (const ContextRef current : {ContextRef(), device.context(), ContextRef(other)}) {
        check(driver::cuCtxSetCurrent(current ? current.native_handle() : nullptr));
        if (!first) first = event.ipc_descriptor();
        if (!first_of_other) first_of_other = event_of_other.ipc_descriptor();
        EXPECT_EQ(event.ipc_descriptor().data, first->data);
        EXPECT_EQ(event_of_other.ipc_descriptor().data, first_of_other->data);
    }
    check(driver::cuCtxSetCurrent(device.context().native_handle()));
    const driver::CUevent handle = event.release();
    EXPECT_EQ(EventRef(handle).ipc_descriptor().data, first->data);
    EXPECT_EQ(Event::from_native_handle(handle).ipc_descriptor().data, first->data);
}

TEST_F(SharedEventTest, WaitsForARecordOfAnotherProcess) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto event = Event::from_ipc_descriptor(device, receive_value<IpcEventDescriptor>(socket));
        Gate gate(own);
        own.record(event);
        send_value(socket, 'x');
        const char answer = receive_value<char>(socket);
        gate.open();
        own.synchronize();
        return answer == 'n';
    });
    const Event event(device, {.ipc_enabled = true});
    send_value(other.socket(), event.ipc_descriptor());
    (void)receive_value<char>(other.socket());
    send_value(other.socket(), event.is_done() ? 'y' : 'n');
    stream.wait(event);
    stream.synchronize();
    EXPECT_TRUE(event.is_done());
    EXPECT_EQ(other.end(), 0);
}

TEST_F(SharedEventTest, IsDoneIfItsRecorderWasKilled) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto event = Event::from_ipc_descriptor(device, receive_value<IpcEventDescriptor>(socket));
        Gate gate(own);
        own.record(event);
        send_value(socket, 'x');
        ::pause();
        return true;
    });
    const Event event(device, {.ipc_enabled = true});
    send_value(other.socket(), event.ipc_descriptor());
    (void)receive_value<char>(other.socket());
    stream.wait(event);
    EXPECT_FALSE(stream.is_done());
    other.kill();
    stream.synchronize();
    event.synchronize();
    EXPECT_TRUE(event.is_done());
}

TEST_F(SharedEventTest, OutlivesTheEventOfItsCreator) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto descriptor = receive_value<IpcEventDescriptor>(socket);
        const auto event = Event::from_ipc_descriptor(device, descriptor);
        send_value(socket, 'x');
        (void)receive_value<char>(socket);
        own.record(event);
        event.synchronize();
        const std::string message = message_of<Error>([&] { (void)Event::from_ipc_descriptor(device, descriptor); });
        return event.is_done() && message.find("still") != std::string::npos;
    });
    Event event(device, {.ipc_enabled = true});
    send_value(other.socket(), event.ipc_descriptor());
    (void)receive_value<char>(other.socket());
    event.close();
    send_value(other.socket(), 'x');
    EXPECT_EQ(other.end(), 0);
}

TEST_F(SharedEventTest, RejectsWrongEventsAndDescriptors) {
    const Event unshared(device);
    EXPECT_THAT(message_of<Error>([&] { (void)unshared.ipc_descriptor(); }), HasSubstr(".ipc_enabled = true"));
    const Event event(device, {.ipc_enabled = true});
    const IpcEventDescriptor descriptor = event.ipc_descriptor();
    EXPECT_EQ(descriptor, event.ipc_descriptor());
    EXPECT_THAT(message_of<Error>([&] { (void)Event::from_ipc_descriptor(device, descriptor); }),
                AllOf(HasSubstr("cuIpcOpenEventHandle"), HasSubstr("other processes")));
    EXPECT_THAT(message_of<Error>([&] { (void)Event::from_ipc_descriptor(device, IpcEventDescriptor()); }), HasSubstr("still"));
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(SharedEventTest, SweepReportsFailuresOfSharing) {
    const Event event(device, {.ipc_enabled = true});
    sweep([&] { (void)event.ipc_descriptor(); });
    // In the simulation, another context can open the event.
    const IpcEventDescriptor descriptor = event.ipc_descriptor();
    sweep([&] { (void)Event::from_ipc_descriptor(Device(1), descriptor); });
}

}  // namespace
}  // namespace cubind::testing
