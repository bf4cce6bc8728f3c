// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "core_test.hpp"
#include "gate.hpp"
#include "lifetime/known_contexts.hpp"

namespace cubind::testing {
namespace {

class StreamTest : public CoreTest {};

TEST_F(StreamTest, IsCreatedOnTheDeviceAndLeavesNoContextCurrent) {
    const Stream stream(Device(1));
    EXPECT_EQ(stream.device(), Device(1));
    EXPECT_EQ(stream.context(), Device(1).primary_context());
    EXPECT_FALSE(ContextRef::current());
    EXPECT_TRUE(stream.is_nonblocking());
    EXPECT_EQ(stream.priority(), 0);
    EXPECT_FALSE(stream.is_default());
    EXPECT_FALSE(stream.is_capturing());
}

TEST_F(StreamTest, HasTheOptionsThatItWasCreatedWith) {
    const Device device(0);
    const Stream stream(device, {.nonblocking = false, .priority = device.primary_context().priority_range().greatest});
    EXPECT_FALSE(stream.is_nonblocking());
    EXPECT_EQ(stream.priority(), device.primary_context().priority_range().greatest);
    EXPECT_NE(stream.id(), device.create_stream().id());
    EXPECT_EQ(device.create_stream({.priority = -1}).priority(), -1);
}

TEST_F(StreamTest, RejectsAPriorityThatTheContextDoesNotSupport) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Stream(Device(0), {.priority = -100}); }),
                ::testing::AllOf(::testing::HasSubstr("-100"), ::testing::HasSubstr("-5")));
    EXPECT_THROW((void)Stream(Device(0), {.priority = 1}), std::invalid_argument);
}

TEST_F(StreamTest, ReturnsWhetherItsWorkIsDone) {
    const Stream stream{Device()};
    EXPECT_TRUE(stream.is_done());
    Gate gate(stream);
    EXPECT_FALSE(stream.is_done());
    gate.open();
    stream.synchronize();
    EXPECT_TRUE(stream.is_done());
}

TEST_F(StreamTest, WaitsForAnEventAndForAnotherStream) {
    const Stream first{Device(0)};
    const Stream second{Device(1)};
    const Stream third{Device(0)};
    std::atomic<int> order = 0;
    int when_second = 0;
    int when_third = 0;
    Gate gate(first);
    first.launch_host_function([&] { ++order; });
    second.wait(first.record());
    second.launch_host_function([&] { when_second = order.load(); });
    third.wait(first);
    third.launch_host_function([&] { when_third = order.load(); });
    gate.open();
    second.synchronize();
    third.synchronize();
    EXPECT_EQ(when_second, 1);
    EXPECT_EQ(when_third, 1);
}

TEST_F(StreamTest, CallsHostFunctionsInOrderAndDestroysThemLater) {
    const Stream stream{Device()};
    std::vector<int> seen;
    const auto held = std::make_shared<int>(7);
    for (int i = 0; i < 3; ++i) stream.launch_host_function([&seen, i, held] { seen.push_back(i + *held); });
    stream.synchronize();
    EXPECT_THAT(seen, ::testing::ElementsAre(7, 8, 9));
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(StreamTest, AcceptsAMoveOnlyHostFunction) {
    const Stream stream{Device()};
    int seen = 0;
    stream.launch_host_function([&seen, value = std::make_unique<int>(5)] { seen = *value; });
    stream.synchronize();
    EXPECT_EQ(seen, 5);
}

TEST_F(StreamTest, LetsDestructorsOfHostFunctionsCallCuda) {
    const Stream stream{Device()};
    auto inner = std::make_shared<Stream>(Device());
    const StreamRef::Handle handle = inner->native_handle();
    stream.launch_host_function([inner = std::move(inner)] {});
    stream.synchronize();
    const layers::Unobserved own_call;
    EXPECT_EQ(driver::cuStreamQuery(handle).status, driver::CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(StreamTest, SetsAndReturnsAttributes) {
    const Stream stream{Device()};
    driver::CUstreamAttrValue value{};
    value.syncPolicy = driver::CU_SYNC_POLICY_YIELD;
    stream.set_attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, value);
    EXPECT_EQ(stream.attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).syncPolicy, driver::CU_SYNC_POLICY_YIELD);
}

TEST_F(StreamTest, CopiesAttributesOfAStreamOfItsContext) {
    const Stream stream{Device()};
    const Stream other{Device()};
    driver::CUstreamAttrValue value{};
    value.syncPolicy = driver::CU_SYNC_POLICY_YIELD;
    other.set_attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, value);
    stream.copy_attributes(other);
    EXPECT_EQ(stream.attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).syncPolicy, driver::CU_SYNC_POLICY_YIELD);
    const Stream elsewhere(Device(1));
    EXPECT_THAT(message_of<Error>([&] { elsewhere.copy_attributes(other); }),
                ::testing::AllOf(::testing::HasSubstr("cuStreamCopyAttributes"), ::testing::HasSubstr("the same context")));
    EXPECT_THROW(Stream().copy_attributes(other), std::invalid_argument);
    EXPECT_THROW(stream.copy_attributes(Stream()), std::invalid_argument);
}

TEST_F(StreamTest, AttachesManagedMemory) {
    const Stream stream{Device()};
    const ScopedContext scope(stream.context());
    const auto managed = check(driver::cuMemAllocManaged(64, driver::CU_MEM_ATTACH_GLOBAL));
    stream.attach(managed);
    stream.attach(managed, MemoryAttachment::host);
    StreamRef::legacy_default().attach(managed, MemoryAttachment::global);
    EXPECT_THAT(message_of<Error>([&] { StreamRef(StreamRef::Handle()).attach(managed); }),
                ::testing::HasSubstr("MemoryAttachment::single"));
    const auto plain = check(driver::cuMemAlloc(64));
    EXPECT_THAT(message_of<Error>([&] { stream.attach(plain); }),
                ::testing::AllOf(::testing::HasSubstr("cuStreamAttachMemAsync"), ::testing::HasSubstr(std::to_string(plain))));
    EXPECT_THROW(Stream().attach(managed), std::invalid_argument);
    stream.synchronize();
    check(driver::cuMemFree(plain));
    check(driver::cuMemFree(managed));
}

TEST_F(StreamTest, AttachingReportsAFailureOfEachCall) {
    const Stream stream{Device()};
    const ScopedContext scope(stream.context());
    const auto managed = check(driver::cuMemAllocManaged(64, driver::CU_MEM_ATTACH_GLOBAL));
    EXPECT_EQ(sweep([&] { stream.attach(managed); }), 1u);
    stream.synchronize();
    check(driver::cuMemFree(managed));
}

TEST_F(StreamTest, UsesTheCurrentContextForDefaultStreams) {
    const StreamRef legacy = StreamRef::legacy_default();
    EXPECT_TRUE(legacy.is_default());
    EXPECT_TRUE(StreamRef::per_thread_default().is_default());
    EXPECT_TRUE(StreamRef(StreamRef::Handle()).is_default());
    EXPECT_EQ(Device(0).default_stream(), legacy);
    EXPECT_THROW(legacy.synchronize(), Error);  // no context is current
    Device(1).set_current();
    EXPECT_EQ(legacy.context(), Device(1).primary_context());
    legacy.synchronize();
    Device(0).set_current();
    EXPECT_EQ(legacy.device(), Device(0));
}

TEST_F(StreamTest, ViewsOrOwnsAForeignHandle) {
    Device(0).set_current();
    const driver::CUstream foreign = check(driver::cuStreamCreate(driver::CU_STREAM_DEFAULT));
    const StreamRef view = foreign;
    EXPECT_FALSE(view.is_nonblocking());
    EXPECT_EQ(view.native_handle(), foreign);
    { const Stream owner = Stream::from_native_handle(foreign); }
    const layers::Unobserved own_call;
    EXPECT_EQ(driver::cuStreamQuery(foreign).status, driver::CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(StreamTest, RejectsOwnershipOfADefaultStream) {
    Device(0).set_current();
    for (const StreamRef each : {StreamRef(StreamRef::Handle()), StreamRef::legacy_default(), StreamRef::per_thread_default()}) {
        EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)Stream::from_native_handle(each.native_handle()); }),
                    ::testing::HasSubstr("legacy_default()"));
    }
}

TEST_F(StreamTest, IsEmptyIfDefaultConstructed) {
    Stream stream;
    EXPECT_TRUE(stream.is_closed());
    EXPECT_FALSE(stream.is_default());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { stream.synchronize(); }), ::testing::HasSubstr("Stream"));
    stream.close();
    EXPECT_EQ(stream.release(), nullptr);
    stream = Stream(Device(1));
    EXPECT_EQ(stream.device(), Device(1));
}

TEST_F(StreamTest, IsAKeyOfUnorderedContainers) {
    std::unordered_map<Stream, int> numbers;
    Stream first{Device(0)};
    const StreamRef view = first;
    numbers.emplace(std::move(first), 1);
    numbers.emplace(Stream(Device(1)), 2);
    numbers.emplace(Stream(), 3);
    EXPECT_EQ(numbers.size(), 3u);
    EXPECT_EQ(numbers.at(Stream()), 3);
    const std::unordered_set<StreamRef> views{view, view, StreamRef::legacy_default()};
    EXPECT_EQ(views.size(), 2u);
    const auto is_first = [](const auto& entry) { return entry.second == 1; };
    const Stream& owner = std::find_if(numbers.begin(), numbers.end(), is_first)->first;
    EXPECT_EQ(std::hash<StreamRef>{}(view), std::hash<Stream>{}(owner));
}

TEST_F(StreamTest, RejectsEveryUseOfAnEmptyStream) {
    Stream first{Device()};
    Stream second = std::move(first);
    EXPECT_TRUE(first.is_closed());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { first.synchronize(); }), ::testing::HasSubstr("Stream was moved from"));
    EXPECT_THROW((void)first.record(), std::invalid_argument);
    EXPECT_THROW(second.wait(first), std::invalid_argument);
    EXPECT_THROW(first.launch_host_function([] {}), std::invalid_argument);
    EXPECT_FALSE(first.is_default());

    first = std::move(second);
    EXPECT_TRUE(first.is_done());
    first.close();
    first.close();
    EXPECT_THROW((void)first.is_done(), std::invalid_argument);

    Stream third{Device()};
    const StreamRef::Handle handle = third.release();
    EXPECT_THROW((void)third.is_done(), std::invalid_argument);
    EXPECT_EQ(driver::cuStreamQuery(handle).status, driver::CUDA_SUCCESS);
    check(driver::cuStreamDestroy(handle));
}

TEST_F(StreamTest, ReportsAFailingDestructorToTheHandler) {
    {
        const Stream stream{Device()};
        check(driver::cuStreamDestroy(stream.native_handle()));
    }
    const auto is_report = ::testing::ElementsAre(
        ::testing::AllOf(::testing::HasSubstr("destroy a stream"), ::testing::HasSubstr("CUDA_ERROR_INVALID_HANDLE")));
    // If an earlier test of this process had another driver, an unknown handle can be one of that driver, which is no mistake.
    if (detail::is_driver_replaced()) {
        EXPECT_THAT(taken_cleanup_messages(), ::testing::IsEmpty());
    } else {
        EXPECT_THAT(taken_cleanup_messages(), is_report);
    }
    Stream stream{Device()};
    check(driver::cuStreamDestroy(stream.native_handle()));
    EXPECT_THROW(stream.close(), Error);
    EXPECT_TRUE(stream.is_closed());
}

TEST_F(StreamTest, CanBeDestroyedOnAnotherThread) {
    (void)Device(1).primary_context();
    layers::leaks::start();
    const auto before = layers::leaks::checkpoint();
    Stream stream{Device(1)};
    std::async(std::launch::async, [taken = std::move(stream)] {}).get();
    EXPECT_EQ(layers::leaks::report(before), "");
}

TEST_F(StreamTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep(
                  [] {
                      Stream stream(Device(0), {.priority = -1});
                      const Event event = stream.record({.timing_enabled = true});
                      stream.wait(event);
                      stream.wait(stream);
                      (void)stream.priority();
                      (void)stream.is_nonblocking();
                      (void)stream.id();
                      (void)stream.device();
                      (void)stream.is_done();
                      stream.set_attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
                                           stream.attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY));
                      stream.copy_attributes(stream);
                      stream.synchronize();
                      stream.close();
                  },
                  {"cuCtxGetDevice"}),
              20u);
}

// This sweep is separate, because the number of calls after a host function depends on when the function runs.
TEST_F(StreamTest, ReportsAFailureOfEachCallForAHostFunction) {
    sweep([] {
        Stream stream(Device(0));
        stream.launch_host_function([held = std::make_shared<int>(1)] {});
        stream.synchronize();
        stream.close();
    });
}

}  // namespace
}  // namespace cubind::testing
