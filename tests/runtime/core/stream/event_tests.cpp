// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/event.hpp>

#include <unordered_set>
#include <utility>

#include "core_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class EventTest : public CoreTest {};

TEST_F(EventTest, IsDoneOnceTheWorkBeforeItIsDone) {
    const Stream stream{Device()};
    Gate gate(stream);
    const Event event = stream.record();
    EXPECT_FALSE(event.is_done());
    gate.open();
    event.synchronize();
    EXPECT_TRUE(event.is_done());
}

TEST_F(EventTest, IsDoneIfItWasNeverRecorded) {
    const Event event{Device()};
    EXPECT_TRUE(event.is_done());
    event.synchronize();
}

TEST_F(EventTest, IsRecordedOnlyInAStreamOfItsDevice) {
    Device(0).set_current();
    const Stream stream{Device(1)};
    stream.record(Event(Device(1)));
    stream.record(Device(1).create_event());
    (void)stream.record();
    EXPECT_THROW(stream.record(Event(Device(0))), Error);
    EXPECT_EQ(ContextRef::current(), Device(0).primary_context());
}

TEST_F(EventTest, RetainsItsOrigin) {
    const Event event(Device(1), {.timing_enabled = true, .blocking_sync = true});
    EXPECT_EQ(event.device(), Device(1));
    EXPECT_EQ(event.context(), Device(1).primary_context());
    EXPECT_EQ(event.options(), (EventOptions{.timing_enabled = true, .blocking_sync = true}));
    const Context context(Device(1));
    Event within(context);
    EXPECT_EQ(within.context(), context);
    EXPECT_EQ(within.device(), Device(1));
    const Event moved = std::move(within);
    EXPECT_EQ(moved.context(), context);
    EXPECT_THROW((void)within.device(), std::invalid_argument);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(Stream(Device(1)).record().device(), Device(1));
    const ScopedContext scope(Device(0).context());
    const Event foreign = Event::from_native_handle(check(driver::cuEventCreate(0)));
    for (const auto& read : std::vector<std::function<void()>>{[&] { (void)foreign.device(); }, [&] { (void)foreign.context(); },
                                                               [&] { (void)foreign.options(); }}) {
        EXPECT_THAT(message_of<std::invalid_argument>(read), HasSubstr("created elsewhere"));
    }
}

TEST_F(EventTest, MeasuresTheTimeBetweenTwoEvents) {
    const Stream stream{Device()};
    const Event first = stream.record({.timing_enabled = true});
    const Event second = stream.record({.timing_enabled = true, .blocking_sync = true});
    second.synchronize();
    EXPECT_GE(second - first, Milliseconds(0));
    EXPECT_LT(second - first, std::chrono::minutes(1));
    EXPECT_EQ((second - first), -(first - second));
}

TEST_F(EventTest, MeasuresTheTimeOnDriversBeforeCuda128) {
    sim::install({.release = "12.0"});
    const Stream stream{Device()};
    const Event first = stream.record({.timing_enabled = true});
    const Event second = stream.record({.timing_enabled = true});
    second.synchronize();
    EXPECT_GE(second - first, Milliseconds(0));
}

TEST_F(EventTest, ReportsWhyThereIsNoTime) {
    const Stream stream{Device()};
    const Event without = stream.record();
    const Event with = stream.record({.timing_enabled = true});
    const Event never(Device(), {.timing_enabled = true});
    const auto why = [](EventRef later, EventRef earlier) {
        return message_of<std::invalid_argument>([&] { (void)(later - earlier); });
    };
    EXPECT_THAT(why(with, without),
                AllOf(HasSubstr("the earlier one"), HasSubstr("EventOptions{.timing_enabled = true}"), HasSubstr("recorded")));
    EXPECT_THAT(why(without, with), HasSubstr("the later one"));
    EXPECT_THAT(why(never, with), HasSubstr("the later one"));
    const Event elsewhere = Stream(Device(1)).record({.timing_enabled = true});
    EXPECT_THAT(why(elsewhere, with), HasSubstr("different contexts"));
    Gate gate(stream);
    const Event later = stream.record({.timing_enabled = true});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)(later - with); }), HasSubstr("not done"));
    gate.open();
    stream.synchronize();
    EXPECT_GE((later - with).count(), 0.0F);
}

TEST_F(EventTest, RecordsNoTimeForOtherProcesses) {
    const Event event(Device(), {.ipc_enabled = true});
    EXPECT_TRUE(event.is_done());
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Event(Device(), {.timing_enabled = true, .ipc_enabled = true}); }),
                AllOf(HasSubstr("ipc_enabled"), HasSubstr("timing_enabled")));
}

TEST_F(EventTest, RejectsEveryUseOfAnEmptyEvent) {
    Event first{Device()};
    const Event second = std::move(first);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)first.is_done(); }), HasSubstr("Event was moved from"));
    EXPECT_THROW(first.synchronize(), std::invalid_argument);
    EXPECT_THROW((void)(first - second), std::invalid_argument);
    EXPECT_THROW(Stream(Device()).record(first), std::invalid_argument);
    EXPECT_THROW(Stream(Device()).wait(first), std::invalid_argument);
    first.close();
    const EventRef null = EventRef::Handle();
    EXPECT_THROW((void)null.is_done(), std::invalid_argument);
    EXPECT_THROW(Stream(Device()).wait(null), std::invalid_argument);
}

TEST_F(EventTest, IsEmptyIfDefaultConstructed) {
    Event event;
    EXPECT_TRUE(event.is_closed());
    EXPECT_THROW(event.synchronize(), std::invalid_argument);
    event = Event(Device());
    EXPECT_TRUE(event.is_done());
}

TEST_F(EventTest, IsAKeyOfUnorderedContainers) {
    std::unordered_set<Event> events;
    Event event{Device()};
    const EventRef view = event;
    events.insert(std::move(event));
    events.insert(Event(Device()));
    EXPECT_EQ(events.size(), 2u);
    EXPECT_EQ(std::unordered_set<EventRef>({view, view}).size(), 1u);
}

TEST_F(EventTest, OwnsAForeignHandle) {
    Device(0).set_current();
    const auto foreign = driver::cuEventCreate(0);
    { const Event owner = Event::from_native_handle(foreign.value); }
    const layers::Unobserved own_call;
    EXPECT_EQ(driver::cuEventQuery(foreign.value).status, driver::CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EventTest, ReportsAFailureOfEachCall) {
    const Stream stream{Device(1)};
    EXPECT_GE(sweep(
                  [&] {
                      Event first(Device(1), {.timing_enabled = true});
                      const Event second(Device(1).primary_context(), {.timing_enabled = true});
                      stream.record(first);
                      stream.record(second);
                      (void)first.is_done();
                      second.synchronize();
                      (void)(second - first);
                      first.close();
                  },
                  {"cuCtxGetDevice"}),
              10u);
}

}  // namespace
}  // namespace cubind::testing
