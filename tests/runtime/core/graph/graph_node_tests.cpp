// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/global.hpp>
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/core/stream/event.hpp>

#include <array>
#include <cstdint>
#include <functional>

#include "definition_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphNodeTest : public DefinitionTest {};

class GraphNumberTest : public CoreTest {
protected:
    explicit GraphNumberTest(const sim::Options& options = {.release = "13.1"}) : CoreTest(options) {}
};

class OldGraphNumberTest : public GraphNumberTest {
protected:
    OldGraphNumberTest() : GraphNumberTest({.release = "13.0"}) {}
};

// ---- kernels --------------------------------------------------------------------------------------------------------------

TEST_F(GraphNodeTest, LaunchesWithEveryAttributeOfANode) {
    GraphDefinition definition(device);
    const LaunchConfig launch_config{
        .grid = {4, 2},
        .block = {8, 2, 1},
        .shared_memory_size = 100 * 1024,
        .cluster = {2, 1, 1},
        .cooperative = true,
        .priority = -1,
        .access_policy_window = AccessPolicyWindow{reinterpret_cast<void*>(data.native_handle()), 64, 0.5f},
        .cluster_scheduling_policy_preference = driver::CU_CLUSTER_SCHEDULING_POLICY_SPREAD,
        .mem_sync_domain = driver::CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE,
        .mem_sync_domain_map = MemSyncDomainMap{1, 0}};
    const KernelNode node = definition.launch(launch_config, code.kernel("empty"));
    EXPECT_EQ(node.config(), launch_config);
    EXPECT_EQ(node.kernel(), code.kernel("empty"));
    EXPECT_EQ(definition.launch(config, add, data, 1u, n).config(), config);
    definition.instantiate().launch(stream);
    stream.synchronize();
    EXPECT_EQ(first(), 1u);
}

TEST_F(GraphNodeTest, ComparesArgumentsAsALaunchDoes) {
    GraphDefinition definition(device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.launch(config, add, data, 1u); }),
                AllOf(HasSubstr("\"add\""), HasSubstr("3 parameters")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.launch(config, add, data, std::size_t{1}, n); }),
                AllOf(HasSubstr("argument 2"), HasSubstr("8 bytes")));
    const KernelFunction<void(unsigned int*, unsigned int, unsigned int)> function(add, device);
    definition.launch(config, function, data, 1, std::size_t{16});
    EXPECT_EQ(definition.nodes().size(), 1u);
    EXPECT_EQ(launch(definition.instantiate()), 1u);
}

TEST_F(GraphNodeTest, ExplainsALaunchThatTheDriverRejects) {
    GraphDefinition definition(device);
    const Kernel empty = code.kernel("empty");
    EXPECT_THAT(message_of<Error>([&] { definition.launch({.grid = 1, .block = 2048}, empty); }),
                AllOf(HasSubstr("2048"), HasSubstr("1024")));
    EXPECT_THAT(message_of<Error>([&] { definition.launch({.grid = 3, .block = 32, .cluster = 2}, empty); }),
                HasSubstr("not a multiple of the cluster"));
    EXPECT_THAT(message_of<Error>([&] { definition.launch({.grid = 1 << 20, .block = 1024, .cooperative = true}, empty); }),
                HasSubstr("cooperative"));
    EXPECT_THAT(message_of<Error>([&] { definition.launch({.grid = 2, .block = 32, .preferred_cluster = 2}, empty); }),
                AllOf(HasSubstr("PREFERRED_CLUSTER_DIMENSION"), HasSubstr("GraphBuilder")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] {
                    driver::CUgraphDeviceNode device_node{};
                    definition.launch({.grid = 1, .block = 1, .device_updatable_kernel_node = &device_node}, empty);
                }),
                HasSubstr("device_updatable_kernel_node"));
    EXPECT_TRUE(definition.nodes().empty());
    const AllocationNode allocation = definition.allocate(64);
    EXPECT_THROW(allocation.launch({.grid = 3, .block = 32, .cluster = 2}, empty), Error);
    EXPECT_EQ(definition.nodes().size(), 1u) << "the driver cannot remove nodes from this graph";
    allocation.launch({.grid = 4, .block = 32, .cluster = 2}, empty).free(allocation);
    EXPECT_EQ(definition.nodes().size(), 3u);
}

TEST_F(GraphNodeTest, OverlapsKernelsByProgrammaticEdges) {
    GraphDefinition definition(device);
    const FillNode start = definition.fill(data, 5u);
    const KernelNode before = definition.launch(config, add, data, 1u, n);
    LaunchConfig overlapping = config;
    overlapping.programmatic_stream_serialization = true;
    const KernelNode after = definition.after({start, before}).launch(overlapping, add, data, 1u, n);
    for (const auto& [from, to, edge] : definition.edges()) {
        EXPECT_EQ(to, after);
        const bool is_kernel = from == before;
        EXPECT_EQ(edge.type,
                  is_kernel ? driver::CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC : driver::CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
    }
    EXPECT_EQ(after.predecessors().size(), 2u);
    after.remove_predecessor(before);
    EXPECT_THAT(after.predecessors(), ElementsAre(start));
    definition.launch(overlapping, add, data, 1u, n);
}

// ---- copies and fills -----------------------------------------------------------------------------------------------------

TEST_F(GraphNodeTest, CopiesBetweenAllOperands) {
    GraphDefinition definition(device);
    std::array<unsigned int, n> numbers{};
    numbers.fill(3);
    Buffer bytes = device.allocate(stream, 64);
    stream.synchronize();
    auto counter = code.global<unsigned int>("counter", device);
    unsigned int result = 0;
    const CopyNode up = definition.copy(data, numbers);
    up.copy(bytes, data).copy(counter, data.first(1)).copy(result, counter);
    EXPECT_EQ(up.destination(), data.native_handle());
    EXPECT_EQ(up.source(), reinterpret_cast<driver::CUdeviceptr>(numbers.data()));
    EXPECT_EQ(up.size(), sizeof numbers);
    EXPECT_EQ(launch(definition.instantiate()), 3u);
    EXPECT_EQ(result, 3u);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.copy(data.first(2), numbers); }),
                AllOf(HasSubstr("64 bytes"), HasSubstr("8 bytes")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.copy(data, data.first(0)); }), HasSubstr("empty()"));
    EXPECT_EQ(definition.nodes().size(), 4u);
}

TEST_F(GraphNodeTest, FillsAllOperands) {
    GraphDefinition definition(device);
    Buffer bytes = device.allocate(stream, 63);
    stream.synchronize();
    const FillNode node = definition.fill(data, 0x01020304u);
    EXPECT_EQ(node.destination(), data.native_handle());
    EXPECT_EQ(node.value(), 0x01020304u);
    EXPECT_EQ(node.value_size(), 4u);
    EXPECT_EQ(node.size(), 64u);
    node.fill(data.first(1), std::byte{7});
    EXPECT_EQ(definition.fill(bytes, std::uint8_t{255}).size(), 63u);
    EXPECT_EQ(definition.fill(code.global<unsigned int>("counter", device), 9).value(), 9u);
    EXPECT_EQ(launch(definition.instantiate()), 0x07070707u);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.fill(bytes, 0); }), HasSubstr("std::uint8_t"));
    EXPECT_THROW(definition.fill(data.first(0), 0u), std::invalid_argument);
}

TEST_F(GraphNodeTest, DescribesMemoryThatTheDriverRejects) {
    GraphDefinition definition(device);
    const std::span<unsigned int> beyond(reinterpret_cast<unsigned int*>(data.native_handle()), 1 << 20);
    std::vector<unsigned int> numbers(beyond.size());
    EXPECT_THAT(message_of<Error>([&] { definition.copy(numbers, beyond); }), AllOf(HasSubstr("the source, 4194304 bytes")));
    EXPECT_THAT(message_of<Error>([&] { definition.fill(beyond, 0u); }), HasSubstr("the destination, 4194304 bytes"));
    EXPECT_TRUE(definition.nodes().empty());
}

// ---- events and host functions --------------------------------------------------------------------------------------------

TEST_F(GraphNodeTest, RecordsAndWaitsForEvents) {
    GraphDefinition definition(device);
    const Event input(device);
    const Event output(device);
    const EventWaitNode wait = definition.wait(input);
    const EventRecordNode record = wait.launch(config, add, data, 1u, n).record(output);
    EXPECT_EQ(wait.event(), input);
    EXPECT_EQ(record.event(), output);
    const Stream producer(device);
    Gate gate(producer);
    producer.record(input);
    definition.instantiate().launch(stream);
    EXPECT_FALSE(output.is_done());
    gate.open();
    output.synchronize();
    EXPECT_EQ(first(), 1u);
    EXPECT_THROW(definition.record(Event()), std::invalid_argument);
    EXPECT_THROW(definition.wait(Event()), std::invalid_argument);
}

TEST_F(GraphNodeTest, CallsHostFunctionsInOrder) {
    GraphDefinition definition(device);
    std::vector<int> order;
    definition.callback([&] { order.push_back(1); }).callback([&] { order.push_back(2); });
    const Graph graph = definition.instantiate();
    launch(graph);
    launch(graph);
    EXPECT_THAT(order, ElementsAre(1, 2, 1, 2));
}

// ---- graphs and memory ----------------------------------------------------------------------------------------------------

TEST_F(GraphNodeTest, EmbedsGraphs) {
    GraphDefinition inner(device);
    inner.launch(config, add, data, 1u, n);
    GraphBuilder captured(device);
    captured.begin_building();
    cubind::launch(captured, config, add, data, 10u, n);
    captured.end_building();
    GraphDefinition definition(device);
    const ChildGraphNode node = definition.embed(inner);
    node.embed(captured);
    EXPECT_EQ(launch(definition.instantiate()), 11u);
    inner.launch(config, add, data, 100u, n);
    EXPECT_EQ(node.child_graph().nodes().size(), 1u) << "the node has a copy";
    node.child_graph().nodes()[0].launch(config, add, data, 1000u, n);
    EXPECT_EQ(launch(definition.instantiate()), 11u + 1011u);
    EXPECT_EQ(definition.nodes().size(), 2u);
    EXPECT_THROW(definition.embed(GraphBuilder(device)), std::invalid_argument);
}

TEST_F(GraphNodeTest, ReplacesAnEmbeddedGraph) {
    GraphDefinition inner(device);
    inner.launch(config, add, data, 1u, n);
    GraphDefinition definition(device);
    const ChildGraphNode node = definition.embed(inner);
    {
        TypedBuffer<unsigned int> scratch = zeros();
        GraphDefinition other(device);
        other.fill(scratch, 40u).launch(config, add, scratch, 2u, n).copy(data, scratch);
        node.update(other);
    }
    EXPECT_EQ(node.child_graph().nodes().size(), 3u);
    EXPECT_EQ(node.child_graph().nodes()[0].graph(), node.child_graph());
    EXPECT_EQ(launch(definition.instantiate()), 42u) << "the node retains the objects of the new graph";
    GraphDefinition allocating(device);
    allocating.allocate(64);
    EXPECT_THAT(message_of<Error>([&] { node.update(allocating); }), HasSubstr("cannot be embedded"));
    EXPECT_EQ(node.child_graph().nodes().size(), 3u);
    EXPECT_THROW(node.update(GraphDefinition()), std::invalid_argument);
}

TEST_F(GraphNumberTest, KnowsItsGraphAndItsNumbers) {
    const Device first(0);
    GraphDefinition definition(first);
    const GraphNode one = definition.empty();
    const GraphNode two = one.empty();
    EXPECT_EQ(one.graph(), definition);
    EXPECT_EQ(definition.root_nodes(), std::vector<GraphNode>{one});
    EXPECT_TRUE(two.is_valid());
    EXPECT_NE(one.id(), two.id());
    EXPECT_NE(one.tools_id(), two.tools_id());
    const GraphDefinition other(first);
    EXPECT_NE(definition.id(), other.id());
    EXPECT_NE(definition.instantiate().id(), other.instantiate().id());
    definition.remove(two);
    EXPECT_FALSE(two.is_valid());
    EXPECT_TRUE(one.is_valid());
}

TEST_F(GraphNumberTest, ReportsAFailureOfEachCall) {
    const Device first(0);
    EXPECT_GE(sweep([&] {
                  GraphDefinition graph(first);
                  const GraphNode node = graph.empty();
                  EXPECT_TRUE(node.is_valid());
                  (void)node.id();
                  (void)node.tools_id();
                  (void)graph.id();
                  (void)graph.root_nodes();
                  (void)graph.instantiate().id();
              }),
              8u);
}

TEST_F(OldGraphNumberTest, NamesTheReleaseThatHasNumbers) {
    GraphDefinition definition(Device(0));
    EXPECT_THAT(message_of<Error>([&] { (void)definition.empty().id(); }), HasSubstr("13.1"));
    EXPECT_THAT(message_of<Error>([&] { (void)definition.id(); }), HasSubstr("13.1"));
}

TEST_F(GraphNodeTest, AllocatesEachKindOfMemory) {
    GraphDefinition definition(device);
    EXPECT_EQ(definition.allocate(64).memory_type(), MemoryType::device);
    const AllocationNode managed = definition.allocate(64, {.memory_type = MemoryType::managed});
    EXPECT_EQ(managed.memory_type(), MemoryType::managed);
    EXPECT_EQ(managed.device(), device);
    EXPECT_THAT(message_of<Error>([&] { definition.allocate(64, {.memory_type = MemoryType::host}); }),
                HasSubstr("allocates no host memory in graphs"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.allocate(64, {.memory_type = MemoryType::unregistered}); }),
                HasSubstr("unregistered"));
    EXPECT_THAT(
        message_of<std::invalid_argument>([&] { definition.allocate(64, {.memory_type = MemoryType::host, .device = device}); }),
        HasSubstr("belongs to no device"));
}

TEST_F(GraphNodeTest, AllocatesAndFreesMemory) {
    GraphDefinition definition(device);
    const auto scratch = definition.allocate<unsigned int>(n, {.peer_accessible_by = {Device(1)}});
    EXPECT_EQ(scratch.count(), n);
    EXPECT_GE(scratch.size(), 64u);
    EXPECT_EQ(scratch.device(), device);
    EXPECT_THAT(scratch.peer_accessible_by(), ElementsAre(Device(1)));
    const FreeNode end =
        scratch.fill(scratch.span(), 4u).launch(config, add, scratch, 3u, n).copy(data, scratch.bytes()).free(scratch);
    EXPECT_EQ(end.address(), scratch.address());
    EXPECT_EQ(launch(definition.instantiate()), 7u);
    EXPECT_EQ(definition.allocate(64, {.device = Device(1)}).device(), Device(1));
    EXPECT_THROW(definition.allocate(0), std::invalid_argument);
    EXPECT_THAT(message_of<OutOfMemory>([&] { definition.allocate(std::size_t{1} << 60); }), HasSubstr("1152921504606846976"));
    EXPECT_THAT(message_of<Error>([&] { definition.remove(end); }), HasSubstr("memory"));
    EXPECT_THAT(message_of<Error>([&] { end.set_predecessors({}); }), HasSubstr("memory"));
    EXPECT_EQ(end.predecessors().size(), 1u);
    GraphDefinition outer(device);
    EXPECT_THAT(message_of<Error>([&] { outer.embed(definition); }), HasSubstr("cannot be embedded"));
    EXPECT_THAT(message_of<Error>([&] { outer.free(data.native_handle()); }), HasSubstr("allocates"));
}

// ---- objects --------------------------------------------------------------------------------------------------------------

TEST_F(GraphNodeTest, RetainsBuffersAndKernels) {
    GraphDefinition inner(device);
    {
        TypedBuffer<unsigned int> scratch = zeros();
        const ObjectCode temporary = load();
        inner.fill(scratch, 4u).launch(config, temporary.kernel("add"), scratch, 3u, n).copy(data, scratch);
    }
    GraphDefinition outer(device);
    outer.embed(inner);
    inner.close();
    const Graph graph = outer.instantiate();
    outer.close();
    EXPECT_EQ(launch(graph), 7u);
}

TEST_F(GraphNodeTest, ReleasesObjectsWithTheLastGraph) {
    const auto held = std::make_shared<int>(0);
    GraphDefinition definition(device);
    GraphDefinition inner(device);
    inner.callback([held] {});
    definition.embed(inner);
    EXPECT_EQ(held.use_count(), 2);
    inner.close();
    EXPECT_EQ(held.use_count(), 2);
    {
        Gate gate(stream);
        Graph graph = definition.instantiate();
        definition.close();
        graph.launch(stream);
        graph.close();
        EXPECT_EQ(held.use_count(), 2) << "the launch has not completed";
    }
    stream.synchronize();
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(GraphNodeTest, ReportsAFailureOfEachCall) {
    const Event event(device);
    std::vector<unsigned int> numbers(n);
    const LaunchConfig clusters{.grid = 4, .block = n, .shared_memory_size = 60 * 1024, .cluster = 2, .priority = -1};
    EXPECT_GE(sweep([&] {
                  GraphDefinition definition(device);
                  GraphDefinition inner(device);
                  inner.callback([] {});
                  inner.launch(clusters, code.kernel("empty"));
                  LaunchConfig overlapping = config;
                  overlapping.programmatic_stream_serialization = true;
                  const KernelNode kernel = definition.launch(config, add, data, 1u, n).launch(overlapping, add, data, 1u, n);
                  const CopyNode copy = kernel.copy(numbers, data);
                  const FillNode fill = copy.fill(data, 3u);
                  const ChildGraphNode child = fill.embed(inner);
                  EXPECT_EQ(child.child_graph().nodes().size(), 2u);
                  child.update(inner);
                  EXPECT_NE(definition.callback([] {}).parameters().fn, nullptr);
                  EXPECT_EQ(child.record(event).event(), child.wait(event).event());
                  const AllocationNode allocation = definition.allocate(64, {.peer_accessible_by = {Device(1)}});
                  allocation.launch(clusters, code.kernel("empty"));
                  EXPECT_EQ(allocation.free(allocation).address(), allocation.address());
                  EXPECT_EQ(kernel.config(), config);
                  EXPECT_EQ(copy.size() + fill.size() + allocation.size(), 192u);
                  const Graph graph = definition.instantiate();
              }),
              50u);
}

}  // namespace
}  // namespace cubind::testing
