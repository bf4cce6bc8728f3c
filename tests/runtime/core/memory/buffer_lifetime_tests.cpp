// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The end of buffers: on any thread, with any current context, and when freeing fails.

#include <cubind/core/graph/graph_builder.hpp>

#include "lifetime/relaxed_capture_mode.hpp"
#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class BufferLifetimeTest : public MemoryTest {
protected:
    std::shared_ptr<RecordingResource> recording = std::make_shared<RecordingResource>();
    MemoryResource resource{recording};
};

TEST_F(BufferLifetimeTest, EndsWithAnyCurrentContext) {
    Buffer first = device.allocate(stream, 16);
    Buffer second = device.allocate(stream, 32);
    EXPECT_FALSE(ContextRef::current());
    first.close();
    Device(1).set_current();
    const ContextRef before = ContextRef::current();
    second.close();
    EXPECT_EQ(ContextRef::current(), before);
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferLifetimeTest, EndsOnAnotherThread) {
    Buffer buffer = device.allocate(stream, 16);
    std::thread([moved = std::move(buffer)] {}).join();
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferLifetimeTest, EndsInTheContextOfItsDefaultStream) {
    device.set_current();
    const ContextRef first = ContextRef::current();
    Buffer buffer = device.allocate(device.default_stream(), 16);
    Buffer host_buffer = resource.allocate(StreamRef::per_thread_default(), 16);
    Device(1).set_current();
    buffer.close();
    host_buffer.close();
    EXPECT_THAT(recording->contexts, ElementsAre(first));
    EXPECT_EQ(ContextRef::current(), Device(1).primary_context());
    device.synchronize();
    EXPECT_EQ(used(), 0u);
    EXPECT_EQ(used(Device(1)), 0u);
    std::thread([&] {
        device.set_current();
        Buffer other = device.allocate(StreamRef::legacy_default(), 16);
        ContextRef().set_current();
        other.close();
        EXPECT_FALSE(ContextRef::current());
    }).join();
    device.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferLifetimeTest, EndsAfterAllDefaultStreamsOnAnotherThread) {
    device.set_current();
    Buffer here = resource.allocate(StreamRef::per_thread_default(), 16);
    Buffer there = resource.allocate(StreamRef::per_thread_default(), 16);
    here.close();
    std::thread([moved = std::move(there)] {}).join();
    EXPECT_THAT(recording->streams, ElementsAre(StreamRef::per_thread_default(), StreamRef::legacy_default()))
        << "the legacy default stream waits for the default streams of all threads";
}

TEST_F(BufferLifetimeTest, RequiresAContextForDefaultStreamsOnlyOnDevices) {
    const std::string message = message_of<Error>([&] { (void)device.allocate(device.default_stream(), 16); });
    EXPECT_THAT(message, HasSubstr("Device::set_current()"));
    resource.allocate(device.default_stream(), 16).close();
    EXPECT_THAT(recording->streams, SizeIs(1)) << "a resource of the host requires no context";
}

TEST_F(BufferLifetimeTest, ReportsAResourceThatThrows) {
    Buffer buffer = resource.allocate(stream, 16);
    void* const memory = reinterpret_cast<void*>(buffer.native_handle());
    recording->throws = true;
    EXPECT_THROW(buffer.close(), std::runtime_error);
    EXPECT_TRUE(buffer.is_closed());
    { const Buffer ended = std::move(buffer); }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty()) << "the memory is freed once";
    { const Buffer ended = Buffer::from_native_handle(reinterpret_cast<driver::CUdeviceptr>(memory), 16, resource, stream); }
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("cannot be freed")));
    ::operator delete(memory, std::align_val_t(MemoryResourceBase::default_alignment));
}

TEST_F(BufferLifetimeTest, ReportsTheMemoryAndTheReason) {
    Buffer buffer = device.allocate(stream, 16);
    layers::faults::start();
    layers::faults::fail("cuMemFreeAsync", driver::CUDA_ERROR_UNKNOWN);
    { const Buffer ended = std::move(buffer); }
    layers::faults::stop();
    const auto names_both =
        ::testing::AllOf(HasSubstr("could not free 16 bytes at 0x"), HasSubstr("cuMemFreeAsync failed with CUDA_ERROR_UNKNOWN"));
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(names_both));
}

TEST_F(BufferLifetimeTest, EndsAfterTheDriverHasShutDown) {
    Buffer buffer = device.allocate(stream, 16);
    Buffer closed = device.allocate(stream, 16);
    layers::faults::start();
    layers::faults::fail("cuMemFreeAsync", driver::CUDA_ERROR_DEINITIALIZED, layers::faults::every_call);
    { const Buffer ended = std::move(buffer); }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    EXPECT_THROW(closed.close(), Error);
    layers::faults::stop();
}

TEST_F(BufferLifetimeTest, RetainsItsResource) {
    auto pool = std::make_unique<DeviceMemoryResource>(device, DeviceMemoryResourceOptions{.max_size = 1024});
    Buffer buffer = pool->allocate(stream, 16);
    pool.reset();
    EXPECT_EQ(buffer.memory_resource()->device(), device);
    buffer.close();
}

TEST_F(BufferLifetimeTest, EndsWhileItsStreamIsCaptured) {
    Buffer before = device.allocate(stream, 16);
    Capture capture(stream);
    {
        // cubind detects the capture by the failure of cuMemFreeAsync, because a query would delay every free.
        const layers::Unobserved foreign_capture;
        before.close();
    }
    EXPECT_EQ(used(), 0u);
    EXPECT_THAT(capture.node_types(), IsEmpty()) << "the capture stays valid and does not contain the free";
}

TEST_F(BufferLifetimeTest, EndsWhileABuilderCapturesAnotherStream) {
    for (const CaptureMode mode : {CaptureMode::global, CaptureMode::this_thread, CaptureMode::relaxed}) {
        Buffer before = device.allocate(stream, 16);
        Buffer ends_on_thread = device.allocate(stream, 16);
        GraphBuilder builder(device);
        builder.begin_building(mode);
        std::thread([&] {
            const Buffer ended = std::move(ends_on_thread);
            const Buffer created = device.allocate(stream, 16);
        }).join();
        { const Buffer created = device.allocate(stream, 16); }
        before.close();
        builder.end_building();
    }
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
}

TEST_F(BufferLifetimeTest, IgnoresEndedCaptures) {
    {
        GraphBuilder dropped(device);
        dropped.begin_building(CaptureMode::global);
        const auto forks = dropped.split(2);
        EXPECT_EQ(detail::active_captures, 1);
    }
    EXPECT_EQ(detail::active_captures, 0);
    Capture capture(stream);
    GraphBuilder rejected(stream);
    EXPECT_THROW(rejected.begin_building(), Error);
    EXPECT_EQ(detail::active_captures, 0);
}

TEST(BufferWithoutDriverTest, AllocatesFromAHostResource) {
    const auto recording = std::make_shared<RecordingResource>();
    Buffer buffer = MemoryResource(recording).allocate(StreamRef::legacy_default(), 16);
    *buffer.span<int>().data() = 1;
    std::thread([moved = std::move(buffer)] {}).join();
    EXPECT_THAT(recording->streams, SizeIs(1));
}

TEST(BufferWithoutDriverTest, RejectsANullResource) {
    EXPECT_THROW(MemoryResource(nullptr), std::invalid_argument);
    MemoryResource first(std::make_shared<RecordingResource>());
    const MemoryResource second = std::move(first);
    EXPECT_EQ(first, second) << "a move copies the handle";
}

}  // namespace
}  // namespace cubind::testing
