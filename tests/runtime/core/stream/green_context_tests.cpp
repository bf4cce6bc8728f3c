// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/device_resources.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/green_context.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/green_context.hpp>
#include <cubind/driver/primary_context.hpp>
#include <cubind/driver/stream.hpp>

#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GreenContextTest : public CoreTest {
protected:
    static GreenContext create(Device device, unsigned int count = 16) {
        return GreenContext(device, device.resources().sm().split({.count = count, .groups = 1}).groups[0]);
    }
};

TEST_F(GreenContextTest, HasItsResourcesAndItsDevice) {
    const GreenContext green = create(Device(1), 32);
    EXPECT_TRUE(green);
    EXPECT_EQ(green.device(), Device(1));
    EXPECT_EQ(green.resources().sm().count(), 32u);
    EXPECT_EQ(green.resources().sm().device(), Device(1));
    EXPECT_EQ(green.context().resources().sm().count(), 32u);
    EXPECT_EQ(green.resources().workqueue().device(), Device(1));
    EXPECT_EQ(Device(1).resources().sm().count(), 132u);
    EXPECT_NE(green.id(), create(Device(1)).id());
    EXPECT_FALSE(ContextRef::current());
    const GreenContextRef view = green.native_handle();
    EXPECT_EQ(view, green);
    EXPECT_EQ(view.device(), Device(1));
    EXPECT_EQ(view.context(), green.context());
}

TEST_F(GreenContextTest, HasSeveralGroupsAndWorkQueues) {
    const Device device(0);
    const SmSplit split = device.resources().sm().split({.count = 16, .groups = 3});
    WorkqueueResource queues = device.resources().workqueue();
    queues.configure({.sharing_scope = driver::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED, .concurrency_limit = 4});
    const GreenContext first(device, {.sm = {split.groups[0], split.groups[2]}, .workqueue = queues});
    const GreenContext second(device, split.remainder);
    EXPECT_EQ(first.resources().sm().count(), 32u);
    EXPECT_EQ(first.resources().workqueue().concurrency_limit(), 4u);
    EXPECT_EQ(second.resources().sm().count(), 84u);
    const SmSplit again = first.resources().sm().split({.count = 8, .groups = 2});
    EXPECT_EQ(again.remainder.count(), 16u);
}

TEST_F(GreenContextTest, RejectsResourcesThatItCannotHave) {
    const Device device(0);
    const SmResource all = device.resources().sm();
    const SmSplit split = all.split({.count = 16, .groups = 2});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)GreenContext(device, GreenContextOptions{}); }),
                HasSubstr("needs resources"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)GreenContext(device, SmResource()); }), HasSubstr("empty"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)GreenContext(Device(1), split.groups[0]); }),
                AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
    const WorkqueueResource queues = Device(1).resources().workqueue();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)GreenContext(device, {.sm = {all}, .workqueue = queues}); }),
                HasSubstr("work queues"));
    const SmSplit another = all.split({.count = 16, .groups = 2});
    EXPECT_THAT(message_of<Error>([&] {
                    (void)GreenContext(device, {.sm = {split.groups[0], another.groups[1]}});
                }),
                HasSubstr("one split"));
    EXPECT_THROW((void)GreenContext(device, {.sm = {split.groups[0], split.groups[0]}}), Error);
}

TEST_F(GreenContextTest, CreatesStreamsThatBelongToIt) {
    const Device device(1);
    const GreenContext green = create(device);
    const Stream stream = green.create_stream({.priority = -1});
    EXPECT_EQ(stream.green_context(), green);
    EXPECT_EQ(stream.context(), green.context());
    EXPECT_EQ(stream.device(), device);
    EXPECT_EQ(stream.priority(), -1);
    EXPECT_TRUE(stream.is_nonblocking());
    EXPECT_EQ(stream.resources().sm().count(), 16u);
    const StreamRef view = stream.native_handle();
    EXPECT_EQ(view.green_context(), green);
    EXPECT_EQ(view.context(), green.context());
    EXPECT_FALSE(Stream(device).green_context());
    EXPECT_EQ(Stream(device).resources().sm().count(), 132u);
    const ScopedContext scope(green.context());
    EXPECT_TRUE(green.context().is_current());
    EXPECT_EQ(device.context(), green.context());
    EXPECT_EQ(Stream(device).green_context(), green);
    EXPECT_EQ(StreamRef::legacy_default().green_context(), green);
}

TEST_F(GreenContextTest, RejectsStreamsThatItCannotHave) {
    const GreenContext green = create(Device(0));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)green.create_stream({.nonblocking = false}); }),
                HasSubstr("nonblocking"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)green.create_stream({.priority = 3}); }), HasSubstr("priority 3"));
    EXPECT_THROW((void)GreenContextRef().create_stream(), std::invalid_argument);
}

TEST_F(GreenContextTest, OutlivesItsStreams) {
    GreenContext green = create(Device(0));
    Stream stream = green.create_stream();
    stream.close();
    green.close();
    EXPECT_TRUE(green.is_closed());
}

TEST_F(GreenContextTest, IsRetainedByItsStreams) {
    const Device device(0);
    std::optional<GreenContext> green(create(device));
    Stream stream = green->create_stream();
    const GreenContextRef view = green->native_handle();
    std::optional<Buffer> buffer(device.allocate(stream, 64));
    green.reset();
    EXPECT_EQ(view.resources().sm().count(), 16u);
    {
        const Stream another = stream.green_context().create_stream();  // retains it, too
        stream.synchronize();
        stream.close();
        EXPECT_EQ(another.resources().sm().count(), 16u);
    }
    buffer.reset();  // the buffer was the last user of the stream
    EXPECT_EQ(driver::cuCtxFromGreenCtx(view.native_handle()).status, driver::CUDA_ERROR_CONTEXT_IS_DESTROYED);
    FailedCalls::get().forget();  // of the line above
}

TEST_F(GreenContextTest, EndsWithoutAFailingCallAfterAResetOfThePrimaryContext) {
    const Device device(1);
    std::optional<GreenContext> green(create(device));
    std::optional<Stream> stream(green->create_stream());
    check(driver::cuDevicePrimaryCtxReset(device.native_handle()));
    (void)device.primary_context();
    stream.reset();
    green.reset();
}

TEST_F(GreenContextTest, LeavesNoUsableStreamsThatWereCreatedElsewhere) {
    const Device device(0);
    std::optional<GreenContext> green(create(device));
    std::optional<Stream> stream(Stream(green->context()));
    EXPECT_EQ(stream->green_context(), *green);
    green.reset();
    stream.reset();  // makes no call with its handle
}

TEST_F(GreenContextTest, IsMovedReleasedAndTakenOver) {
    GreenContext first = create(Device(0));
    const GreenContextRef::Handle handle = first.native_handle();
    GreenContext second = std::move(first);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)first.context(); }), HasSubstr("GreenContext"));
    EXPECT_THROW((void)first.resources(), std::invalid_argument);
    EXPECT_THROW((void)first.record(), std::invalid_argument);
    EXPECT_FALSE(first);
    EXPECT_EQ(second.release(), handle);
    const GreenContext third = GreenContext::from_native_handle(handle);
    EXPECT_EQ(third.device(), Device(0));
    EXPECT_EQ(third.create_stream().green_context(), third);
    EXPECT_THROW((void)GreenContext::from_native_handle(nullptr), std::invalid_argument);
    EXPECT_EQ((std::unordered_set<GreenContextRef>{third, handle, GreenContextRef()}.size()), 2u);
}

TEST_F(GreenContextTest, RecordsAndWaitsForEventsOfAllStreams) {
    const GreenContext first = create(Device(0));
    const GreenContext second = create(Device(0));
    const Stream blocked = first.create_stream();
    const Stream before = second.create_stream();
    Gate gate(blocked);
    const Event event = first.record();
    EXPECT_FALSE(event.is_done());
    second.wait(event);
    EXPECT_FALSE(before.is_done());
    const Stream after = second.create_stream();
    EXPECT_FALSE(after.is_done());
    gate.open();
    before.synchronize();
    after.synchronize();
    EXPECT_TRUE(event.is_done());
    const Event start = first.record({.timing_enabled = true});
    const Event stop = first.record({.timing_enabled = true});
    stop.synchronize();
    EXPECT_GE((stop - start).count(), 0.0f);
}

TEST_F(GreenContextTest, NamesTheCaptureThatItsEventsEnd) {
    const GreenContext green = create(Device(0));
    const Stream stream = green.create_stream();
    const Event event = stream.record();
    const auto expect_named = [&](const std::function<void()>& call) {
        GraphBuilder builder(stream);
        builder.begin_building();
        EXPECT_THAT(message_of<Error>(call),
                    AllOf(HasSubstr("has made a capture invalid"), HasSubstr("this thread captures the stream 0x"),
                          HasSubstr("with a GraphBuilder")));
        EXPECT_THROW(builder.end_building(), Error);
    };
    expect_named([&] { green.record(event); });
    expect_named([&] { green.wait(event); });
}

TEST_F(GreenContextTest, NeedsADriverThatHasIt) {
    sim::install({.release = "12.3"});
    const Device device(0);
    const Stream plain(device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)plain.green_context(); }), HasSubstr("12.4"));
    driver::CUdevResource native{};
    native.type = driver::CU_DEV_RESOURCE_TYPE_SM;
    native.sm.smCount = 8;
    const SmResource sm(device, native);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)GreenContext(device, sm); }),
                AllOf(HasSubstr("12.4"), HasSubstr("12.3")));
}

TEST_F(GreenContextTest, NeedsANewerDriverForStreamsAndIds) {
    sim::install({.release = "12.4"});
    const GreenContext green = create(Device(0));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)green.create_stream(); }), HasSubstr("12.5"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)green.id(); }), HasSubstr("12.9"));
    const Stream stream(green.context());
    EXPECT_EQ(stream.green_context(), green);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)stream.resources().sm(); }), HasSubstr("13.1"));
}

TEST_F(GreenContextTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([] {
                  const Device device(1);
                  GreenContext green = create(device);
                  (void)green.resources().sm();
                  (void)green.context().resources().sm();
                  (void)green.id();
                  (void)GreenContextRef(green.native_handle()).device();
                  Stream stream = green.create_stream({.priority = -1});
                  (void)stream.resources().sm();
                  (void)StreamRef(stream.native_handle()).green_context();
                  const Event event = green.record();
                  green.wait(event);
                  stream.synchronize();
                  stream.close();
                  GreenContext taken = GreenContext::from_native_handle(green.native_handle());
                  (void)green.release();
                  taken.close();
                  GreenContext last = create(device);
                  const Stream user = last.create_stream();
                  last.close();
              }),
              20u);
}

}  // namespace
}  // namespace cubind::testing
