// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/memory_operation_node.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <optional>
#include <vector>

#include "definition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class MemoryOperationNodeTest : public DefinitionTest {
protected:
    using Operation = MemoryOperation;

    static constexpr auto equal = WaitCondition::equal;

    MemoryOperationNodeTest() { data = pinned_zeros(n); }

    TypedBuffer<unsigned int> pinned_zeros(std::size_t count) const {
        auto buffer = LegacyPinnedMemoryResource().allocate<unsigned int>(stream, count);
        fill(stream, buffer, 0);
        stream.synchronize();
        return buffer;
    }

    GraphDefinition definition{device};
};

TEST_F(MemoryOperationNodeTest, WritesAndWaitsInOrder) {
    const auto node = definition.memory_operations(
        {Operation::write(data.first(1), 5), Operation::wait(data.first(1), equal, 5), Operation::write(data.subspan(1, 1), 6)});
    node.launch(config, add, data, 10u, n);
    EXPECT_EQ(launch(definition.instantiate()), 15u);
    std::vector<unsigned int> results(3);
    copy(stream, results, data.first(3));
    stream.synchronize();
    EXPECT_EQ(results, (std::vector<unsigned int>{15, 16, 10}));
}

TEST_F(MemoryOperationNodeTest, WaitsForAnotherStream) {
    auto flag = pinned_zeros(1);
    definition.memory_operations({Operation::wait(flag, equal, 3)}).launch(config, add, data, 1u, n);
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    EXPECT_FALSE(stream.is_done());
    const Stream other(device);
    write_value(other, flag, 3);
    EXPECT_EQ(first(), 1u);
}

TEST_F(MemoryOperationNodeTest, ReturnsItsOperations) {
    const GraphNode node = definition.memory_operations(
        {Operation::wait(data.last(1), WaitCondition::bitwise_and, 7), Operation::barrier(MemoryBarrierScope::device)});
    ASSERT_TRUE(node.is<MemoryOperationNode>());
    const auto operations = node.as<MemoryOperationNode>().operations();
    ASSERT_THAT(operations, SizeIs(2));
    EXPECT_EQ(operations[0].address(), data.native_handle() + 4 * (n - 1));
    EXPECT_EQ(operations[0].value(), 7u);
    EXPECT_EQ(operations[0].native().waitValue.flags, driver::CU_STREAM_WAIT_VALUE_AND);
    EXPECT_EQ(operations[1].type(), driver::CU_STREAM_MEM_OP_BARRIER);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)node.as<KernelNode>(); }), HasSubstr("memory operations"));
}

TEST_F(MemoryOperationNodeTest, ChangesInTheDefinition) {
    const auto node = definition.memory_operations({Operation::write(data.first(1), 1)});
    node.update({Operation::write(data.first(1), 2), Operation::write(data.last(1), 3)});
    EXPECT_EQ(launch(definition.instantiate()), 2u);
    EXPECT_THAT(node.operations(), SizeIs(2));
}

TEST_F(MemoryOperationNodeTest, ChangesInAnExecutableGraph) {
    const auto node = definition.memory_operations({Operation::write(data.first(1), 1), Operation::barrier()});
    const Graph graph = definition.instantiate();
    graph[node].update({Operation::write(data.first(1), 8), Operation::barrier()});
    EXPECT_EQ(launch(graph), 8u);
    EXPECT_EQ(node.operations()[0].value(), 1u) << "the definition is unchanged";
    EXPECT_THAT(message_of<Error>([&] { graph[node].update({Operation::write(data.first(1), 9)}); }),
                AllOf(HasSubstr("cuGraphExecBatchMemOpNodeSetParams"), HasSubstr("number and the kinds")));
    EXPECT_THROW(graph[node].update({Operation::wait(data.first(1), equal, 9), Operation::barrier()}), Error);
    node.update({Operation::write(data.first(1), 4), Operation::barrier()});
    graph.update(definition);
    EXPECT_EQ(launch(graph), 4u);
}

TEST_F(MemoryOperationNodeTest, RetainsBuffers) {
    Graph graph;
    std::optional<MemoryOperationNode> added;
    {
        auto one = pinned_zeros(1);
        added = definition.memory_operations({Operation::write(one, 4), Operation::wait(one, equal, 4)});
        graph = definition.instantiate();
    }
    EXPECT_EQ(launch(graph), 0u);
    {
        auto next = pinned_zeros(1);
        graph[*added].update({Operation::write(next, 5), Operation::wait(next, equal, 5)});
    }
    EXPECT_EQ(launch(graph), 0u);
}

TEST_F(MemoryOperationNodeTest, RejectsWrongOperations) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.memory_operations({}); }), HasSubstr("at least 1 operation"));
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { definition.memory_operations(std::vector<Operation>(300, Operation::barrier())); }),
                AllOf(HasSubstr("300"), HasSubstr("256")));
    unsigned int pageable = 0;
    EXPECT_THAT(message_of<Error>([&] { definition.memory_operations({Operation::write(pageable, 1)}); }),
                HasSubstr("pageable host memory"));
    EXPECT_THAT(message_of<Error>([&] { definition.memory_operations({Operation::flush_remote_writes()}); }),
                HasSubstr("CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES"));
    EXPECT_TRUE(definition.nodes().empty());
    const auto node = definition.memory_operations({Operation::write(data.first(1), 1)});
    EXPECT_THROW(node.update({Operation::write(pageable, 1)}), Error);
    EXPECT_EQ(node.operations()[0].address(), data.native_handle()) << "the node is unchanged";
}

TEST_F(MemoryOperationNodeTest, RejectsMemoryOfAPoolWhenTheGraphIsLaunched) {
    auto pooled = zeros();
    const auto node = definition.memory_operations({Operation::write(pooled.first(1), 1)});
    const Graph graph = definition.instantiate();
    const auto names_pool = AllOf(HasSubstr("cuGraphLaunch"), HasSubstr("CUDA_ERROR_INVALID_VALUE"),
                                  HasSubstr("belong to a pool"), HasSubstr("LegacyPinnedMemoryResource"));
    EXPECT_THAT(message_of<Error>([&] { graph.launch(stream); }), names_pool);
    EXPECT_THAT(message_of<Error>([&] { GraphRef(graph.native_handle()).launch(stream); }), names_pool);
    graph[node].update({Operation::write(data.first(1), 7)});
    EXPECT_EQ(launch(graph), 7u);
}

TEST_F(MemoryOperationNodeTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  GraphDefinition each(device);
                  const auto node = each.memory_operations({Operation::write(data.first(1), 1)});
                  node.update({Operation::write(data.first(1), 2)});
                  const Graph graph = each.instantiate();
                  graph[node].update({Operation::write(data.first(1), 3)});
                  (void)node.operations();
              }),
              6u);
}

}  // namespace
}  // namespace cubind::testing
