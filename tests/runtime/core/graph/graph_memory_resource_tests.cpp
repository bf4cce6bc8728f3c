// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_memory_resource.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/driver/stream.hpp>

#include "definition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GraphMemoryResourceTest : public DefinitionTest {
protected:
    /// Captures a fill of memory that the graph allocates, and a copy of it to `data`.
    GraphBuilder scratch(const MemoryResource& resource, bool is_freed = true) {
        GraphBuilder builder(device);
        builder.begin_building();
        auto memory = resource.allocate<unsigned int>(builder, n);
        fill(builder, memory, 3u);
        copy(builder, data, memory);
        if (is_freed) memory.close();
        builder.end_building();
        return builder;
    }
    static std::vector<driver::CUgraphNodeType> types(const GraphBuilder& builder) {
        std::vector<driver::CUgraphNode> nodes(check(driver::cuGraphGetNodes(builder.native_handle(), nullptr, 0)));
        (void)check(driver::cuGraphGetNodes(builder.native_handle(), nodes.data(), nodes.size()));
        std::vector<driver::CUgraphNodeType> types;
        for (const driver::CUgraphNode node : nodes) types.push_back(check(driver::cuGraphNodeGetType(node)));
        return types;
    }

    const GraphMemoryResource memory{device};
};

TEST_F(GraphMemoryResourceTest, AddsAllocationAndFreeNodes) {
    const GraphBuilder builder = scratch(memory);
    EXPECT_THAT(types(builder), ::testing::ElementsAre(driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC, driver::CU_GRAPH_NODE_TYPE_MEMSET,
                                                       driver::CU_GRAPH_NODE_TYPE_MEMCPY, driver::CU_GRAPH_NODE_TYPE_MEM_FREE));
    const Graph graph = builder.complete();
    EXPECT_EQ(launch(graph), 3u);
    EXPECT_EQ(launch(graph), 3u);
}

TEST_F(GraphMemoryResourceTest, AddsTheNodesOfTheDevicesPool) {
    EXPECT_EQ(types(scratch(device.memory_resource())), types(scratch(memory)));
    device.set_memory_resource(LegacyPinnedMemoryResource());
    EXPECT_EQ(types(scratch(memory)).front(), driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    device.set_memory_resource(DeviceMemoryResource(device));
}

TEST_F(GraphMemoryResourceTest, LeavesMemoryThatTheGraphDoesNotFree) {
    GraphBuilder builder(device);
    builder.begin_building();
    auto buffer = memory.allocate<unsigned int>(builder, n);
    fill(builder, buffer, 5u);
    builder.end_building();
    const Graph graph = builder.complete();
    graph.launch(stream);
    copy(stream, data, buffer);
    EXPECT_EQ(first(), 5u);
    buffer.close(stream);
    EXPECT_EQ(launch(graph), 5u) << "the memory is free again";
}

TEST_F(GraphMemoryResourceTest, ReportsAndTrimsTheMemoryOfGraphs) {
    const GraphMemoryAttributes attributes = memory.attributes();
    EXPECT_EQ(attributes.reserved_mem_current(), 0u);
    {
        const Graph graph = scratch(memory).complete();
        graph.launch(stream);
        stream.synchronize();
        EXPECT_GE(attributes.reserved_mem_current(), n * sizeof(unsigned int));
        EXPECT_GE(attributes.used_mem_high(), n * sizeof(unsigned int));
        EXPECT_GE(attributes.used_mem_current(), 0u);
    }
    EXPECT_EQ(GraphMemoryResource(Device(1)).attributes().reserved_mem_high(), 0u);
    memory.trim();
    EXPECT_EQ(attributes.reserved_mem_current(), 0u);
    EXPECT_NE(attributes.reserved_mem_high(), 0u);
    attributes.reset_reserved_mem_high();
    attributes.reset_used_mem_high();
    EXPECT_EQ(attributes.reserved_mem_high(), 0u);
    EXPECT_EQ(attributes.used_mem_high(), 0u);
}

TEST_F(GraphMemoryResourceTest, IsOneResourceForEachDevice) {
    EXPECT_EQ(memory, GraphMemoryResource(device));
    const GraphMemoryResource other{Device(1)};
    EXPECT_FALSE(memory == other);
    EXPECT_EQ(other.device(), Device(1));
    EXPECT_TRUE(memory.is_device_accessible());
    EXPECT_FALSE(memory.is_host_accessible());
    EXPECT_FALSE(memory.is_managed());
    EXPECT_EQ(MemoryResource(memory).device(), device);
}

TEST_F(GraphMemoryResourceTest, RejectsStreamsThatAreNotCapturing) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)memory.allocate(stream, 64); }),
                AllOf(HasSubstr("64 bytes"), HasSubstr("GraphBuilder")));
    EXPECT_EQ(memory.allocate(stream, 0).size(), 0u);
    GraphBuilder builder(device);
    builder.begin_building();
    EXPECT_THROW((void)memory.allocate(builder, 64, 512), std::invalid_argument);
    EXPECT_THAT(message_of<OutOfMemory>([&] { (void)memory.allocate(builder, std::size_t{1} << 60); }),
                HasSubstr("a node of a graph"));
}

TEST_F(GraphMemoryResourceTest, DoesNotDisturbCaptures) {
    GraphBuilder builder(device);
    builder.begin_building(CaptureMode::global);
    const GraphMemoryResource other{Device(1)};
    (void)other.attributes().used_mem_current();
    other.attributes().reset_used_mem_high();
    other.trim();
    (void)memory.allocate(builder, 64);
    builder.end_building();
}

TEST_F(GraphMemoryResourceTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep(
                  [&] {
                      const GraphBuilder builder = scratch(GraphMemoryResource(device));
                      memory.attributes().reset_used_mem_high();
                      (void)memory.attributes().used_mem_current();
                      memory.trim();
                  },
                  {"cuStreamGetCaptureInfo"}),
              10u);
}

}  // namespace
}  // namespace cubind::testing
