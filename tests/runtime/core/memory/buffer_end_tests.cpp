// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Where buffers may end: on any thread, whatever is current, and when freeing fails.

#include <cubind/core/graph_builder.hpp>

#include "memory_test.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace cubind::testing {
namespace {

class BufferEndTest : public MemoryTest {
protected:
    std::shared_ptr<NotingResource> noting = std::make_shared<NotingResource>();
    MemoryResource resource{noting};
};

TEST_F(BufferEndTest, WithAnotherContextCurrentOrNone) {
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

TEST_F(BufferEndTest, OnAnotherThread) {
    Buffer buffer = device.allocate(stream, 16);
    std::thread([moved = std::move(buffer)] {}).join();
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(BufferEndTest, OfADefaultStreamInItsContext) {
    device.set_current();
    const ContextRef first = ContextRef::current();
    Buffer buffer = device.allocate(device.default_stream(), 16);
    Buffer noted = resource.allocate(StreamRef::per_thread_default(), 16);
    Device(1).set_current();
    buffer.close();
    noted.close();
    EXPECT_THAT(noting->contexts, ElementsAre(first));
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

TEST_F(BufferEndTest, OfAThreadsDefaultStreamOnAnotherThread) {
    device.set_current();
    Buffer here = resource.allocate(StreamRef::per_thread_default(), 16);
    Buffer there = resource.allocate(StreamRef::per_thread_default(), 16);
    here.close();
    std::thread([moved = std::move(there)] {}).join();
    EXPECT_THAT(noting->streams, ElementsAre(StreamRef::per_thread_default(), StreamRef::legacy_default()))
        << "which waits for the default streams of all threads";
}

TEST_F(BufferEndTest, OfADefaultStreamWithoutContext) {
    const std::string message = message_of<Error>([&] { (void)device.allocate(device.default_stream(), 16); });
    EXPECT_THAT(message, HasSubstr("Device::set_current()"));
    resource.allocate(device.default_stream(), 16).close();
    EXPECT_THAT(noting->streams, SizeIs(1)) << "a resource of the host needs no context";
}

TEST_F(BufferEndTest, WithAResourceThatThrows) {
    Buffer buffer = resource.allocate(stream, 16);
    void* const memory = reinterpret_cast<void*>(buffer.native_handle());
    noting->throws = true;
    EXPECT_THROW(buffer.close(), std::runtime_error);
    EXPECT_FALSE(buffer.is_closed()) << "it is still owned";
    { const Buffer ended = std::move(buffer); }
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("it does not go back")));
    ::operator delete(memory, std::align_val_t(MemoryResourceBase::default_alignment));
}

TEST_F(BufferEndTest, WithAMessageThatSaysWhatAndWhy) {
    Buffer buffer = device.allocate(stream, 16);
    layers::faults::start();
    layers::faults::fail("cuMemFreeAsync", driver::CUDA_ERROR_UNKNOWN);
    { const Buffer ended = std::move(buffer); }
    layers::faults::stop();
    const auto says = ::testing::AllOf(HasSubstr("could not free 16 bytes at 0x"), HasSubstr("cuMemFreeAsync failed with CUDA_ERROR_UNKNOWN"));
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(says));
}

TEST_F(BufferEndTest, AfterTheDriverHasShutDown) {
    Buffer buffer = device.allocate(stream, 16);
    Buffer closed = device.allocate(stream, 16);
    layers::faults::start();
    layers::faults::fail("cuMemFreeAsync", driver::CUDA_ERROR_DEINITIALIZED, layers::faults::every_call);
    { const Buffer ended = std::move(buffer); }
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    EXPECT_THROW(closed.close(), Error);
    (void)closed.release();
    layers::faults::stop();
}

TEST_F(BufferEndTest, WithAResourceThatNobodyElseHas) {
    auto own = std::make_unique<DeviceMemoryResource>(device, DeviceMemoryResourceOptions{.max_size = 1024});
    Buffer buffer = own->allocate(stream, 16);
    own.reset();
    EXPECT_EQ(buffer.memory_resource()->device(), device);
    buffer.close();
}

TEST_F(BufferEndTest, WhileItsStreamIsCaptured) {
    Buffer before = device.allocate(stream, 16);
    Capture capture(stream);
    before.close();
    EXPECT_EQ(used(), 0u);
    EXPECT_THAT(capture.node_types(), IsEmpty()) << "the capture goes on, without it";
}

TEST_F(BufferEndTest, WhileABuilderCapturesAnotherStream) {
    for (const CaptureMode mode : {CaptureMode::global, CaptureMode::this_thread, CaptureMode::relaxed}) {
        Buffer before = device.allocate(stream, 16);
        Buffer ends_elsewhere = device.allocate(stream, 16);
        GraphBuilder builder(device);
        builder.begin_building(mode);
        std::thread([&] {
            const Buffer ended = std::move(ends_elsewhere);
            const Buffer made = device.allocate(stream, 16);
        }).join();
        { const Buffer made = device.allocate(stream, 16); }
        before.close();
        builder.end_building();
    }
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
}

TEST_F(BufferEndTest, CapturesThatAreOverCountNoMore) {
    {
        GraphBuilder dropped(device);
        dropped.begin_building(CaptureMode::global);
        const auto forks = dropped.split(2);
        EXPECT_EQ(detail::active_captures, 1);
    }
    EXPECT_EQ(detail::active_captures, 0);
    Capture capture(stream);
    GraphBuilder refused(stream);
    EXPECT_THROW(refused.begin_building(), Error);
    EXPECT_EQ(detail::active_captures, 0);
}

TEST(BufferWithoutDriver, IsGoodForResourcesOfTheHost) {
    const auto noting = std::make_shared<NotingResource>();
    Buffer buffer = MemoryResource(noting).allocate(StreamRef::legacy_default(), 16);
    *buffer.span<int>().data() = 1;
    std::thread([moved = std::move(buffer)] {}).join();
    EXPECT_THAT(noting->streams, SizeIs(1));
}

TEST(BufferWithoutDriver, NeedsAResource) {
    EXPECT_THROW(MemoryResource(nullptr), std::invalid_argument);
    MemoryResource first(std::make_shared<NotingResource>());
    const MemoryResource second = std::move(first);
    EXPECT_EQ(first, second) << "moving copies";
}

}  // namespace
}  // namespace cubind::testing
