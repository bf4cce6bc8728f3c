// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Memory that captured work needs, and memory that belongs to a graph.

#include "memory_test.hpp"

#include <cubind/core/graph_builder.hpp>

namespace cubind::testing {
namespace {

class SharedBufferTest : public MemoryTest {};

TEST_F(SharedBufferTest, LivesAsLongAsOthersKeepIt) {
    std::shared_ptr<const void> kept;
    {
        const Buffer buffer = device.allocate(stream, 16);
        kept = detail::share(buffer);
        EXPECT_EQ(detail::share(buffer), kept) << "the same memory";
    }
    stream.synchronize();
    EXPECT_EQ(used(), 16u);
    kept.reset();
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
    {
        const Buffer buffer = device.allocate(stream, 16);
        (void)detail::share(buffer);
    }
    stream.synchronize();
    EXPECT_EQ(used(), 0u) << "the buffer is the last one";
}

TEST_F(SharedBufferTest, GoesBackInTheOrderOfAnotherStream) {
    const Stream other(device);
    std::shared_ptr<const void> kept;
    Buffer buffer = device.allocate(stream, 16);
    kept = detail::share(buffer);
    Gate gate(stream);
    buffer.close(other);
    kept.reset();
    other.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(SharedBufferTest, OfWhatCannotGoBack) {
    const auto owner = std::make_shared<int>(1);
    EXPECT_EQ(detail::share(Buffer::view_of(16, 16, owner)), owner);
    EXPECT_EQ(detail::share(Buffer::view_of(16, 16)), nullptr);
}

TEST_F(SharedBufferTest, ByManyThreadsAtOnce) {
    for (int round = 0; round < 50; ++round) {
        std::vector<std::shared_ptr<const void>> kept(4);
        {
            const Buffer buffer = device.allocate(stream, 16);
            std::vector<std::thread> threads;
            for (auto& each : kept) threads.emplace_back([&] { each = detail::share(buffer); });
            for (auto& each : threads) each.join();
        }
        for (const auto& each : kept) EXPECT_EQ(each, kept.front());
        stream.synchronize();
        EXPECT_EQ(used(), 16u);
        kept.clear();
        stream.synchronize();
        EXPECT_EQ(used(), 0u);
    }
}

TEST_F(SharedBufferTest, IsKeptByWorkThatUsesIt) {
    {
        Capture capture(stream, driver::CU_STREAM_CAPTURE_MODE_RELAXED);
        const Stream other(device);
        {
            Buffer first = device.allocate(other, 16);
            const Buffer second = device.allocate(other, 16);
            copy(stream, first, second);
            first.fill(stream, 0);
        }
        other.synchronize();
        EXPECT_EQ(used(), 32u);
        EXPECT_THAT(capture.node_types(), SizeIs(2));
    }
    device.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(SharedBufferTest, OfACaptureIsFreedInIt) {
    Capture capture(stream);
    {
        const Buffer buffer = device.allocate(stream, 16);
        Buffer view = Buffer::view_of(buffer.native_handle(), 16);
        fill(stream, view, 0);
        copy(stream, view, buffer);
    }
    EXPECT_THAT(capture.node_types(), ElementsAre(driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC, driver::CU_GRAPH_NODE_TYPE_MEMSET,
                                                  driver::CU_GRAPH_NODE_TYPE_MEMCPY, driver::CU_GRAPH_NODE_TYPE_MEM_FREE));
}

TEST_F(SharedBufferTest, OfACaptureThatEndedStaysWithTheGraph) {
    std::optional<Buffer> buffer;
    {
        Capture capture(stream);
        buffer.emplace(device.allocate(stream, 16));
        EXPECT_THAT(capture.node_types(), ElementsAre(driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC));
        buffer->close();
        Capture next(stream);
        buffer.emplace(device.allocate(stream, 16));
    }
    Capture another(stream);
    buffer.reset();
    EXPECT_THAT(another.node_types(), IsEmpty());
}

TEST_F(SharedBufferTest, OfACaptureThatWasLaunchedCanBeFreed) {
    std::optional<Buffer> buffer;
    Capture capture(stream);
    buffer.emplace(device.allocate(stream, 16));
    buffer->set_deallocation_stream(stream);
    EXPECT_THAT(capture.node_types(), SizeIs(1)) << "still of the capture";
    device.set_current();
    const driver::CUgraphExec executable = check(driver::cuGraphInstantiateWithFlags(capture.graph, 0));
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    buffer->close(stream);
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    EXPECT_THROW(Buffer::from_native_handle(16, 16, device.memory_resource(), stream).close(), Error) << "as a free that fails does";
    EXPECT_THAT(taken_cleanup_messages(), SizeIs(1));
    stream.synchronize();
    check(driver::cuGraphExecDestroy(executable));
}

TEST_F(SharedBufferTest, OfAGraphBuilder) {
    std::optional<Graph> graph;
    std::vector<int> results(4);
    {
        Buffer ordinary = device.allocate(stream, 16);
        GraphBuilder builder(device);
        builder.begin_building();
        {
            Buffer temporary = device.allocate(builder, 16);
            fill(builder, temporary, 7);
            copy(builder, ordinary, temporary);
        }
        copy(builder, results, ordinary);
        graph = builder.end_building().complete();
    }
    stream.synchronize();
    EXPECT_EQ(used(), 16u) << "the graph needs the ordinary one";
    graph->launch(stream);
    graph->launch(stream);
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(7));
    graph.reset();
    EXPECT_TRUE(eventually([&] { return used() == 0; })) << "drivers end what a graph kept when it suits them";
}

TEST_F(SharedBufferTest, OfAForkThatWasJoined) {
    GraphBuilder builder(device);
    builder.begin_building();
    std::vector<GraphBuilder> forks = builder.split(2);
    std::optional<Buffer> first = device.allocate(forks[0], 16);
    Buffer second = device.allocate(forks[1], 16);
    second.close();
    builder.join(std::move(forks));
    first.reset();
    EXPECT_NO_THROW(builder.end_building()) << "a free in the fork would be work that nobody joins";
}

TEST_F(SharedBufferTest, OfOtherResourcesIsNoMemoryOfTheGraph) {
    const MemoryResource resource(std::make_shared<NotingResource>());
    Capture capture(stream);
    const auto kept = detail::share(resource.allocate(stream, 16));
    EXPECT_NE(kept, nullptr);
    EXPECT_THAT(capture.node_types(), IsEmpty());
}

}  // namespace
}  // namespace cubind::testing
