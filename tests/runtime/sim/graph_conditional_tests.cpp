// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_test.hpp"

#include <cubind/sim/conditional.hpp>
#include <cubind/sim/kernels.hpp>

namespace cubind::testing {
namespace {

/// A kernel "step" counts down what its argument points to, and goes on while it is not 0; "choose" sets its argument.
class SimGraphConditional : public GraphTest {
protected:
    void SetUp() override {
        GraphTest::SetUp();
        const char* const ptx =
            ".version 7.0\n.target sm_70\n.address_size 64\n"
            ".visible .entry step(.param .u64 condition, .param .u64 count) { ret; }\n"
            ".visible .entry choose(.param .u64 condition, .param .u32 value) { ret; }\n";
        cubind::sim::define_kernel("step", [](const cubind::sim::Launch&, CUgraphConditionalHandle condition, int* count) {
            cubind::sim::set_conditional(condition, static_cast<unsigned>(--*count));
        });
        cubind::sim::define_kernel("choose", [](const cubind::sim::Launch&, CUgraphConditionalHandle condition, unsigned value) {
            cubind::sim::set_conditional(condition, value);
        });
        module = cuModuleLoadData(ptx).value;
        memory = allocate(64);
        graph = new_graph();
    }
    CUgraphConditionalHandle handle(unsigned initial, unsigned flags = CU_GRAPH_COND_ASSIGN_DEFAULT) const {
        const auto [status, made] = cuGraphConditionalHandleCreate(graph, context, initial, flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return made;
    }
    CUgraphNodeParams described(CUgraphConditionalHandle condition, CUgraphConditionalNodeType type, unsigned size) const {
        CUgraphNodeParams parameters{};
        parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        parameters.conditional = {condition, type, size, nullptr, context};
        return parameters;
    }
    Nodes conditional(CUgraphConditionalHandle condition, CUgraphConditionalNodeType type, unsigned size,
                      std::vector<CUgraph>& bodies, const Nodes& after = {}) const {
        const auto [status, node, given] =
            cuGraphAddNode(graph, after.data(), nullptr, after.size(), described(condition, type, size));
        EXPECT_EQ(status, CUDA_SUCCESS);
        bodies.assign(given.conditional.phGraph_out, given.conditional.phGraph_out + size);
        return {node};
    }
    template <class Second>
    CUgraphNode kernel(CUgraph in, const char* name, CUgraphConditionalHandle condition, Second second) const {
        void* arguments[] = {&condition, &second};
        CUDA_KERNEL_NODE_PARAMS parameters{};
        parameters.func = cuModuleGetFunction(module, name).value;
        parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
        parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
        parameters.kernelParams = arguments;
        const auto [status, node] = cuGraphAddKernelNode(in, nullptr, 0, &parameters);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }

    CUmodule module = nullptr;
    CUdeviceptr memory = 0;
    CUgraph graph = nullptr;
    std::vector<CUgraph> bodies;
};

TEST_F(SimGraphConditional, IfAndElse) {
    const CUgraphConditionalHandle condition = handle(1);
    conditional(condition, CU_GRAPH_COND_TYPE_IF, 2, bodies);
    fill(bodies[0], bytes(memory, 1, 4));
    fill(bodies[1], bytes(memory, 2, 4));
    const CUgraphExec exec = executable(graph);
    launch(exec, stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 1));
    EXPECT_TRUE(cubind::sim::set_conditional(condition, 0));
    launch(exec, stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 1)) << "each launch starts with the default";
    EXPECT_FALSE(cubind::sim::set_conditional(12345, 0));
}

TEST_F(SimGraphConditional, WithoutADefaultTheValueStays) {
    const CUgraphConditionalHandle condition = handle(1, 0);
    conditional(condition, CU_GRAPH_COND_TYPE_IF, 2, bodies);
    fill(bodies[0], bytes(memory, 1, 4));
    fill(bodies[1], bytes(memory, 2, 4));
    const CUgraphExec exec = executable(graph);
    cubind::sim::set_conditional(condition, 7);
    launch(exec, stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 1));
    cubind::sim::set_conditional(condition, 0);
    launch(exec, stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 2));
}

TEST_F(SimGraphConditional, WhileAKernelSaysSo) {
    int* const count = static_cast<int*>(cuMemAllocHost(sizeof(int)).value);
    *count = 5;
    const CUgraphConditionalHandle condition = handle(1);
    conditional(condition, CU_GRAPH_COND_TYPE_WHILE, 1, bodies);
    kernel(bodies[0], "step", condition, count);
    launch(executable(graph), stream());
    EXPECT_EQ(*count, 0);
    EXPECT_EQ(cubind::sim::launches().size(), 5u);
}

TEST_F(SimGraphConditional, SwitchToWhatAKernelChooses) {
    const CUgraphConditionalHandle condition = handle(0);
    const CUgraphNode chooses = kernel(graph, "choose", condition, 2u);
    conditional(condition, CU_GRAPH_COND_TYPE_SWITCH, 3, bodies, {chooses});
    for (unsigned i = 0; i < 3; ++i) fill(bodies[i], bytes(memory + 4 * i, 9, 4));
    ASSERT_EQ(cuMemsetD8(memory, 0, 12).status, CUDA_SUCCESS);
    launch(executable(graph), stream());
    EXPECT_EQ(read(memory, 12), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9}));
}

TEST_F(SimGraphConditional, ItsGraphsAreOneOfAKind) {
    conditional(handle(0), CU_GRAPH_COND_TYPE_IF, 1, bodies);
    EXPECT_EQ(cuGraphClone(graph).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphAddChildGraphNode(new_graph(), nullptr, 0, graph).status, CUDA_ERROR_NOT_SUPPORTED);
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphExecUpdate(exec, graph).status, CUDA_SUCCESS);
}

TEST_F(SimGraphConditional, WrongWishesAreRefused) {
    const CUgraphConditionalHandle condition = handle(0);
    const auto status_of = [&](const CUgraphNodeParams& what) { return cuGraphAddNode(graph, nullptr, nullptr, 0, what).status; };
    EXPECT_EQ(status_of(described(condition, CU_GRAPH_COND_TYPE_IF, 3)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(described(condition, CU_GRAPH_COND_TYPE_IF, 0)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(described(condition, CU_GRAPH_COND_TYPE_WHILE, 2)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(described(condition, static_cast<CUgraphConditionalNodeType>(5), 1)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(described(12345, CU_GRAPH_COND_TYPE_IF, 1)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddNode(new_graph(), nullptr, nullptr, 0, described(condition, CU_GRAPH_COND_TYPE_IF, 1)).status,
              CUDA_ERROR_INVALID_VALUE)
        << "of another graph";
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_VALUE) << "nobody uses the handle";
    EXPECT_EQ(status_of(described(condition, CU_GRAPH_COND_TYPE_IF, 1)), CUDA_SUCCESS);
    EXPECT_EQ(status_of(described(condition, CU_GRAPH_COND_TYPE_IF, 1)), CUDA_ERROR_INVALID_VALUE) << "one node for a handle";
    EXPECT_EQ(cuGraphConditionalHandleCreate(graph, context, 0, 6).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphConditional, ALoopEndsWithTheContextThatLaunchedIt) {
    conditional(handle(1), CU_GRAPH_COND_TYPE_WHILE, 1, bodies);
    EXPECT_EQ(cuGraphLaunch(executable(graph), stream()).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
}

TEST_F(SimGraphConditional, BodiesTakeWhatADeviceCanDoAlone) {
    conditional(handle(0), CU_GRAPH_COND_TYPE_IF, 1, bodies);
    const CUDA_HOST_NODE_PARAMS call{Diary::write, nullptr};
    EXPECT_NE(cuGraphAddHostNode(bodies[0], nullptr, 0, &call).status, CUDA_SUCCESS);
    EXPECT_NE(cuGraphAddEventRecordNode(bodies[0], nullptr, 0, event()).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddEmptyNode(bodies[0], nullptr, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(bodies[0]).status, CUDA_ERROR_INVALID_VALUE) << "it is the node's";
}

}  // namespace
}  // namespace cubind::testing
