// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/stream/future.hpp>
#include <cubind/driver/stream.hpp>

#include <chrono>
#include <memory>

#include "completion_test.hpp"

namespace cubind::testing {
namespace {

class FutureTest : public CompletionTest {};

TEST_F(FutureTest, IsReadyWhenTheWorkIsDone) {
    const Stream stream{Device()};
    Gate gate(stream);
    const Event event = stream.record();
    std::future<void> of_stream = future_of(stream);
    std::future<void> of_event = future_of(event);
    EXPECT_EQ(of_stream.wait_for(std::chrono::milliseconds(5)), std::future_status::timeout);
    EXPECT_EQ(of_event.wait_for(std::chrono::milliseconds(5)), std::future_status::timeout);
    gate.open();
    EXPECT_NO_THROW(of_stream.get());
    EXPECT_NO_THROW(of_event.get());
    EXPECT_NO_THROW(future_of(event).get()) << "the record is complete";
}

TEST_F(FutureTest, HasTheErrorOfTheWork) {
    {
        const Stream stream{Device()};
        Gate gate;
        stream.launch_host_function(gate.blocker());
        fail(stream);
        std::future<void> done = future_of(stream);
        bool is_called = false;
        std::future<void> task = launch_host_task(stream, [&] { is_called = true; });
        gate.open();
        EXPECT_THAT(message_of<Error>([&] { done.get(); }), ::testing::HasSubstr("CUDA_ERROR_LAUNCH_FAILED"));
        EXPECT_THAT(message_of<Error>([&] { task.get(); }), ::testing::HasSubstr("CUDA_ERROR_LAUNCH_FAILED"));
        EXPECT_FALSE(is_called);
        EXPECT_THROW((void)future_of(stream), Error);
    }
    (void)taken_cleanup_messages();  // nothing can be destroyed after the failure
}

TEST_F(FutureTest, MayBeDroppedBeforeTheEndOfTheWork) {
    const Stream stream{Device()};
    const Gate gate(stream);
    (void)future_of(stream);
}

TEST_F(FutureTest, HasTheResultOfAHostTask) {
    const Stream stream{Device()};
    Gate gate(stream);
    std::future<std::unique_ptr<int>> result =
        launch_host_task(stream, [value = std::make_unique<int>(5)]() mutable { return std::move(value); });
    gate.open();
    EXPECT_EQ(*result.get(), 5);
}

TEST_F(FutureTest, HasTheExceptionOfAHostTask) {
    const Stream stream{Device()};
    std::future<int> failed = launch_host_task(stream, []() -> int { throw std::out_of_range("beyond the end"); });
    bool is_called = false;
    std::future<void> next = launch_host_task(stream, [&] { is_called = true; });
    EXPECT_EQ(message_of<std::out_of_range>([&] { (void)failed.get(); }), "beyond the end");
    next.get();
    EXPECT_TRUE(is_called);
}

TEST_F(FutureTest, DestroysAHostTaskWhereItMayCallCuda) {
    const Stream stream{Device()};
    auto inner = std::make_shared<Stream>(Device());
    const std::weak_ptr<Stream> observed = inner;
    launch_host_task(stream, [held = std::move(inner)] {}).get();
    stream.synchronize();
    EXPECT_TRUE(observed.expired());
}

TEST_F(FutureTest, RejectsACapture) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    EXPECT_THROW((void)future_of(builder), std::invalid_argument);
    EXPECT_THROW((void)launch_host_task(builder, [] {}), std::invalid_argument);
    builder.end_building();
}

TEST_F(FutureTest, ReportsAFailureOfEachCall) {
    sweep([] {
        const Stream stream{Device(0)};
        future_of(stream).get();
        EXPECT_EQ(launch_host_task(stream, [held = std::make_shared<int>(1)] { return *held; }).get(), 1);
        stream.synchronize();
    });
}

}  // namespace
}  // namespace cubind::testing
