// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Memory that captured work retains, and memory that belongs to a graph.

#include <cubind/core/graph/graph_builder.hpp>

#include "foreign_capture.hpp"
#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class RetainedBufferTest : public MemoryTest {};

TEST_F(RetainedBufferTest, LivesAsLongAsItIsRetained) {
    std::shared_ptr<const void> retained;
    {
        const Buffer buffer = device.allocate(stream, 16);
        retained = detail::share(buffer);
        EXPECT_EQ(detail::share(buffer), retained) << "both retain the same allocation";
    }
    stream.synchronize();
    EXPECT_EQ(used(), 16u);
    retained.reset();
    stream.synchronize();
    EXPECT_EQ(used(), 0u);
    {
        const Buffer buffer = device.allocate(stream, 16);
        (void)detail::share(buffer);
    }
    stream.synchronize();
    EXPECT_EQ(used(), 0u) << "the buffer releases it last";
}

TEST_F(RetainedBufferTest, FreesItsMemoryInTheOrderOfAnotherStream) {
    const Stream other(device);
    std::shared_ptr<const void> retained;
    Buffer buffer = device.allocate(stream, 16);
    retained = detail::share(buffer);
    Gate gate(stream);
    buffer.close(other);
    retained.reset();
    other.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(RetainedBufferTest, RetainsTheOwnerOfAView) {
    const auto owner = std::make_shared<int>(1);
    EXPECT_EQ(detail::share(Buffer::view_of(16, 16, owner)), owner);
    EXPECT_EQ(detail::share(Buffer::view_of(16, 16)), nullptr);
}

TEST_F(RetainedBufferTest, IsRetainedByManyThreads) {
    for (int round = 0; round < 50; ++round) {
        std::vector<std::shared_ptr<const void>> retained(4);
        {
            const Buffer buffer = device.allocate(stream, 16);
            std::vector<std::thread> threads;
            for (auto& each : retained) threads.emplace_back([&] { each = detail::share(buffer); });
            for (auto& each : threads) each.join();
        }
        for (const auto& each : retained) EXPECT_EQ(each, retained.front());
        stream.synchronize();
        EXPECT_EQ(used(), 16u);
        retained.clear();
        stream.synchronize();
        EXPECT_EQ(used(), 0u);
    }
}

TEST_F(RetainedBufferTest, IsRetainedByCapturedWork) {
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

TEST_F(RetainedBufferTest, IsFreedInItsCapture) {
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

TEST_F(RetainedBufferTest, BelongsToTheGraphAfterItsCapture) {
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

TEST_F(RetainedBufferTest, BelongsToTheGraphOfAForeignCapture) {
    device.set_current();
    const driver::CUstream foreign = check(driver::cuStreamCreate(driver::CU_STREAM_NON_BLOCKING));
    for (const StreamRef captured : {StreamRef(stream), StreamRef(foreign), StreamRef::per_thread_default()}) {
        expect_owned_by_a_foreign_capture(device, captured);
    }
    FailedCalls::get().forget();  // launches that must fail
    check(driver::cuStreamDestroy(foreign));
}

TEST_F(RetainedBufferTest, BelongsToTheGraphOfABuilderOfItsStream) {
    GraphBuilder builder(stream);
    builder.begin_building();
    Buffer buffer = device.allocate(stream, 16);  // not through the builder
    Buffer closed = device.allocate(stream, 16);
    closed.close();
    builder.end_building();
    const Graph graph = builder.complete();
    graph.launch(stream);
    { const Buffer ended = std::move(buffer); }
    EXPECT_THROW(graph.launch(stream), Error) << "the memory of the previous launch is still allocated";
}

TEST_F(RetainedBufferTest, IsFreedOutsideAForeignCaptureOnRequest) {
    device.set_current();
    ForeignCapture capture(stream.native_handle());
    Buffer buffer = device.allocate(stream, 16);
    buffer.set_deallocation_stream(stream);  // still in the capture
    const driver::CUgraphExec executable = capture.instantiate();
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    buffer.close(stream);
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    stream.synchronize();
    check(driver::cuGraphExecDestroy(executable));
}

TEST_F(RetainedBufferTest, IsFreedAfterALaunchOfItsGraph) {
    std::optional<Buffer> buffer;
    Capture capture(stream);
    buffer.emplace(device.allocate(stream, 16));
    buffer->set_deallocation_stream(stream);
    EXPECT_THAT(capture.node_types(), SizeIs(1)) << "the buffer still belongs to the capture";
    device.set_current();
    const driver::CUgraphExec executable = check(driver::cuGraphInstantiateWithFlags(capture.graph, 0));
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    buffer->close(stream);
    check(driver::cuGraphLaunch(executable, stream.native_handle()));
    EXPECT_THROW(Buffer::from_native_handle(16, 16, device.memory_resource(), stream).close(), Error) << "a failed free throws";
    EXPECT_THAT(taken_cleanup_messages(), IsEmpty());
    stream.synchronize();
    check(driver::cuGraphExecDestroy(executable));
}

TEST_F(RetainedBufferTest, IsRetainedByTheGraphOfABuilder) {
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
    EXPECT_EQ(used(), 16u) << "the graph retains the ordinary buffer";
    graph->launch(stream);
    graph->launch(stream);
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(7));
    graph.reset();
    device.synchronize();
    EXPECT_EQ(used(), 0u);
}

TEST_F(RetainedBufferTest, IsNotFreedInAJoinedFork) {
    GraphBuilder builder(device);
    builder.begin_building();
    std::vector<GraphBuilder> forks = builder.split(2);
    std::optional<Buffer> first = device.allocate(forks[0], 16);
    Buffer second = device.allocate(forks[1], 16);
    second.close();
    builder.join(std::move(forks));
    first.reset();
    EXPECT_NO_THROW(builder.end_building()) << "a free in the fork would be work that is not joined";
}

TEST_F(RetainedBufferTest, AddsNoNodeForAHostResource) {
    const MemoryResource resource(std::make_shared<RecordingResource>());
    Capture capture(stream);
    const auto retained = detail::share(resource.allocate(stream, 16));
    EXPECT_NE(retained, nullptr);
    EXPECT_THAT(capture.node_types(), IsEmpty());
}

}  // namespace
}  // namespace cubind::testing
