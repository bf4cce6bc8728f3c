// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

/// Nodes that wait for values in memory and write them.
class SimGraphMemoryOperationTest : public GraphTest {
protected:
    using Batch = std::vector<CUstreamBatchMemOpParams>;

    void SetUp() override {
        GraphTest::SetUp();
        memory = allocate(64);
        ASSERT_EQ(cuMemsetD8(memory, 0, 64).status, CUDA_SUCCESS);
        graph = create_graph();
    }
    static CUstreamBatchMemOpParams write(CUdeviceptr address, std::uint32_t value) {
        CUstreamBatchMemOpParams parameters{};
        parameters.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        parameters.writeValue.address = address;
        parameters.writeValue.value = value;
        return parameters;
    }
    static CUstreamBatchMemOpParams wait(CUdeviceptr address, std::uint32_t value) {
        CUstreamBatchMemOpParams parameters = write(address, value);
        parameters.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
        parameters.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
        return parameters;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters(Batch& batch) const {
        return {context, static_cast<unsigned>(batch.size()), batch.data(), 0};
    }
    CUresult add(Batch batch, const Nodes& after = {}) {
        const auto params = parameters(batch);
        const auto [status, added] = cuGraphAddBatchMemOpNode(graph, after.data(), after.size(), &params);
        if (status == CUDA_SUCCESS) node = added;
        return status;
    }
    std::uint32_t value(std::size_t index = 0) const {
        std::uint32_t found = 0;
        EXPECT_EQ(cuMemcpyDtoH(&found, memory + 4 * index, 4).status, CUDA_SUCCESS);
        return found;
    }

    CUdeviceptr memory = 0;
    CUgraph graph = nullptr;
    CUgraphNode node = nullptr;
};

TEST_F(SimGraphMemoryOperationTest, RunsTheOperationsInOrder) {
    ASSERT_EQ(add({write(memory, 1), wait(memory, 1), write(memory, 2)}), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetType(node).value, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    launch(instantiate(graph), create_stream());
    EXPECT_EQ(value(), 2u);
}

TEST_F(SimGraphMemoryOperationTest, ReturnsItsParameters) {
    ASSERT_EQ(add({write(memory, 1), wait(memory + 4, 7)}), CUDA_SUCCESS);
    const auto [status, found] = cuGraphBatchMemOpNodeGetParams(node);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(found.ctx, context);
    ASSERT_EQ(found.count, 2u);
    EXPECT_EQ(found.paramArray[1].waitValue.address, memory + 4);
    EXPECT_EQ(found.paramArray[1].waitValue.value, 7u);
    EXPECT_EQ(cuGraphBatchMemOpNodeGetParams(add_empty(graph)).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphMemoryOperationTest, UsesMemoryThatTheGraphAllocates) {
    CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
    allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.bytesize = 64;
    const auto [status, allocated, out] = cuGraphAddMemAllocNode(graph, nullptr, 0, allocation);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const auto found = cuGraphMemAllocNodeGetParams(allocated);
    ASSERT_EQ(add({write(found.value.dptr, 3), wait(found.value.dptr, 3)}, {allocated}), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphAddMemFreeNode(graph, &node, 1, found.value.dptr).status, CUDA_SUCCESS);
    launch(instantiate(graph), create_stream());
}

TEST_F(SimGraphMemoryOperationTest, ChangesItsParameters) {
    ASSERT_EQ(add({write(memory, 1)}), CUDA_SUCCESS);
    Batch next = {write(memory, 5)};
    auto params = parameters(next);
    EXPECT_EQ(cuGraphBatchMemOpNodeSetParams(node, &params).status, CUDA_SUCCESS);
    const CUgraphExec exec = instantiate(graph);
    launch(exec, create_stream());
    EXPECT_EQ(value(), 5u);
    next = {write(memory + 4, 6)};
    params = parameters(next);
    EXPECT_EQ(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params).status, CUDA_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(value(1), 6u);
    next = {wait(memory + 4, 6)};
    params = parameters(next);
    EXPECT_EQ(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params).status, CUDA_ERROR_INVALID_VALUE) << "another kind";
    next = {write(memory, 6), write(memory, 7)};
    params = parameters(next);
    EXPECT_EQ(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params).status, CUDA_ERROR_INVALID_VALUE) << "another number";
    EXPECT_EQ(cuGraphBatchMemOpNodeSetParams(add_empty(graph), &params).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphMemoryOperationTest, RejectsInvalidOperations) {
    EXPECT_EQ(add({}), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(add({write(memory + 2, 1)}), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(add({write(memory, 1), write(memory + 64, 1)}), CUDA_ERROR_INVALID_VALUE) << "beyond the end";
    EXPECT_EQ(add(Batch(257, write(memory, 1))), CUDA_ERROR_INVALID_VALUE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(SimGraphMemoryOperationTest, RejectsMemoryOfAPoolWhenItIsLaunched) {
    const CUstream stream = create_stream();
    const auto [status, pooled] = cuMemAllocAsync(16, stream);
    ASSERT_EQ(status, CUDA_SUCCESS);
    ASSERT_EQ(add({write(memory, 1)}), CUDA_SUCCESS);
    ASSERT_EQ(add({write(pooled, 1)}, {node}), CUDA_SUCCESS);
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphLaunch(exec, stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(value(), 0u) << "no node ran";
    Batch accepted = {write(memory + 4, 6)};
    const auto params = parameters(accepted);
    EXPECT_EQ(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params).status, CUDA_SUCCESS);
    launch(exec, stream);
    EXPECT_EQ(value(), 1u);
    EXPECT_EQ(value(1), 6u);
    EXPECT_EQ(cuMemFreeAsync(pooled, stream).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemoryOperationTest, IsCapturedFromAStream) {
    const CUstream stream = create_stream();
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWriteValue32(stream, memory, 4, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitValue32(stream, memory, 4, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_SUCCESS);
    Batch batch = {write(memory, 5), write(memory + 4, 6)};
    EXPECT_EQ(cuStreamBatchMemOp(stream, 2, batch.data(), 0).status, CUDA_SUCCESS);
    const auto [status, captured] = cuStreamEndCapture(stream);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(types_of(captured), std::vector(3, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP));
    EXPECT_EQ(edges_of(captured), "0>1 1>2");
    EXPECT_EQ(value(), 0u);
    launch(instantiate(captured), stream);
    EXPECT_EQ(value(), 5u);
    EXPECT_EQ(value(1), 6u);
}

TEST_F(SimGraphMemoryOperationTest, EndsAWaitWhenTheContextIsDestroyed) {
    ASSERT_EQ(add({wait(memory, 1)}), CUDA_SUCCESS);
    const CUstream stream = create_stream();
    EXPECT_EQ(cuGraphLaunch(instantiate(graph), stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
