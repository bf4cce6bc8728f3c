// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/conditional.hpp>
#include <cubind/sim/kernels.hpp>

#include <cstdint>
#include <stdexcept>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

/// The kernel "step" decrements the integer at `count` and sets the condition to the result. The kernel "choose" sets the
/// condition to `value`.
class SimGraphConditionalTest : public GraphTest {
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
        graph = create_graph();
    }
    CUgraphConditionalHandle create_handle(unsigned initial, unsigned flags = CU_GRAPH_COND_ASSIGN_DEFAULT) const {
        const auto [status, created] = cuGraphConditionalHandleCreate(graph, context, initial, flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }
    CUgraphNodeParams conditional_parameters(CUgraphConditionalHandle condition, CUgraphConditionalNodeType type,
                                             unsigned size) const {
        CUgraphNodeParams parameters{};
        parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        parameters.conditional = {condition, type, size, nullptr, context};
        return parameters;
    }
    Nodes add_conditional(CUgraphConditionalHandle condition, CUgraphConditionalNodeType type, unsigned size,
                          std::vector<CUgraph>& bodies, const Nodes& after = {}) const {
        const auto [status, node, given] =
            cuGraphAddNode(graph, after.data(), nullptr, after.size(), conditional_parameters(condition, type, size));
        EXPECT_EQ(status, CUDA_SUCCESS);
        bodies.assign(given.conditional.phGraph_out, given.conditional.phGraph_out + size);
        return {node};
    }
    template <class Second>
    CUgraphNode add_kernel(CUgraph target, const char* name, CUgraphConditionalHandle condition, Second second) const {
        void* arguments[] = {&condition, &second};
        CUDA_KERNEL_NODE_PARAMS parameters{};
        parameters.func = cuModuleGetFunction(module, name).value;
        parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
        parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
        parameters.kernelParams = arguments;
        const auto [status, node] = cuGraphAddKernelNode(target, nullptr, 0, &parameters);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }

    CUmodule module = nullptr;
    CUdeviceptr memory = 0;
    CUgraph graph = nullptr;
    std::vector<CUgraph> bodies;
};

TEST_F(SimGraphConditionalTest, SelectsTheIfOrElseBody) {
    const CUgraphConditionalHandle condition = create_handle(1);
    add_conditional(condition, CU_GRAPH_COND_TYPE_IF, 2, bodies);
    add_fill(bodies[0], byte_fill(memory, 1, 4));
    add_fill(bodies[1], byte_fill(memory, 2, 4));
    const CUgraphExec exec = instantiate(graph);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 1));
    EXPECT_TRUE(cubind::sim::set_conditional(condition, 0));
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 1)) << "each launch starts with the default value";
    EXPECT_FALSE(cubind::sim::set_conditional(12345, 0));
}

TEST_F(SimGraphConditionalTest, RetainsTheValueWithoutADefault) {
    const CUgraphConditionalHandle condition = create_handle(1, 0);
    add_conditional(condition, CU_GRAPH_COND_TYPE_IF, 2, bodies);
    add_fill(bodies[0], byte_fill(memory, 1, 4));
    add_fill(bodies[1], byte_fill(memory, 2, 4));
    const CUgraphExec exec = instantiate(graph);
    cubind::sim::set_conditional(condition, 7);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 1));
    cubind::sim::set_conditional(condition, 0);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 2));
}

TEST_F(SimGraphConditionalTest, RepeatsAWhileBody) {
    int* const count = static_cast<int*>(cuMemAllocHost(sizeof(int)).value);
    *count = 5;
    const CUgraphConditionalHandle condition = create_handle(1);
    add_conditional(condition, CU_GRAPH_COND_TYPE_WHILE, 1, bodies);
    add_kernel(bodies[0], "step", condition, count);
    launch(instantiate(graph), create_stream());
    EXPECT_EQ(*count, 0);
    EXPECT_EQ(cubind::sim::launches().size(), 5u);
}

TEST_F(SimGraphConditionalTest, SelectsTheSwitchBodyThatAKernelChooses) {
    const CUgraphConditionalHandle condition = create_handle(0);
    const CUgraphNode chooser = add_kernel(graph, "choose", condition, 2u);
    add_conditional(condition, CU_GRAPH_COND_TYPE_SWITCH, 3, bodies, {chooser});
    for (unsigned i = 0; i < 3; ++i) add_fill(bodies[i], byte_fill(memory + 4 * i, 9, 4));
    ASSERT_EQ(cuMemsetD8(memory, 0, 12).status, CUDA_SUCCESS);
    launch(instantiate(graph), create_stream());
    EXPECT_EQ(read(memory, 12), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9}));
}

TEST_F(SimGraphConditionalTest, RejectsCloningAndASecondInstantiation) {
    add_conditional(create_handle(0), CU_GRAPH_COND_TYPE_IF, 1, bodies);
    EXPECT_EQ(cuGraphClone(graph).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphAddChildGraphNode(create_graph(), nullptr, 0, graph).status, CUDA_ERROR_NOT_SUPPORTED);
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphExecUpdate(exec, graph).status, CUDA_SUCCESS);
}

TEST_F(SimGraphConditionalTest, RejectsInvalidParameters) {
    const CUgraphConditionalHandle condition = create_handle(0);
    const auto status_of = [&](const CUgraphNodeParams& parameters) {
        return cuGraphAddNode(graph, nullptr, nullptr, 0, parameters).status;
    };
    EXPECT_EQ(status_of(conditional_parameters(condition, CU_GRAPH_COND_TYPE_IF, 3)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(conditional_parameters(condition, CU_GRAPH_COND_TYPE_IF, 0)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(conditional_parameters(condition, CU_GRAPH_COND_TYPE_WHILE, 2)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(conditional_parameters(condition, static_cast<CUgraphConditionalNodeType>(5), 1)),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(conditional_parameters(12345, CU_GRAPH_COND_TYPE_IF, 1)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(
        cuGraphAddNode(create_graph(), nullptr, nullptr, 0, conditional_parameters(condition, CU_GRAPH_COND_TYPE_IF, 1)).status,
        CUDA_ERROR_INVALID_VALUE)
        << "the handle belongs to another graph";
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_VALUE) << "no node uses the handle";
    EXPECT_EQ(status_of(conditional_parameters(condition, CU_GRAPH_COND_TYPE_IF, 1)), CUDA_SUCCESS);
    EXPECT_EQ(status_of(conditional_parameters(condition, CU_GRAPH_COND_TYPE_IF, 1)), CUDA_ERROR_INVALID_VALUE)
        << "a handle has one node";
    EXPECT_EQ(cuGraphConditionalHandleCreate(graph, context, 0, 6).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphConditionalTest, StopsALoopWhenItsContextIsDestroyed) {
    add_conditional(create_handle(1), CU_GRAPH_COND_TYPE_WHILE, 1, bodies);
    EXPECT_EQ(cuGraphLaunch(instantiate(graph), create_stream()).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
}

TEST_F(SimGraphConditionalTest, RejectsTheInstantiationOfBodiesWithHostAndEventNodes) {
    add_conditional(create_handle(0), CU_GRAPH_COND_TYPE_IF, 1, bodies);
    EXPECT_EQ(cuGraphAddEmptyNode(bodies[0], nullptr, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(bodies[0]).status, CUDA_ERROR_INVALID_VALUE) << "the node owns it";
    const CUDA_HOST_NODE_PARAMS call{CallLog::record, nullptr};
    for (const bool is_host : {true, false}) {
        const auto [status, node] = is_host ? cuGraphAddHostNode(bodies[0], nullptr, 0, &call)
                                            : cuGraphAddEventRecordNode(bodies[0], nullptr, 0, create_event());
        EXPECT_EQ(status, CUDA_SUCCESS);
        const auto refused = cuGraphInstantiateWithParams(graph, CUDA_GRAPH_INSTANTIATE_PARAMS{});
        EXPECT_EQ(refused.status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(refused.value2.result_out, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED);
        EXPECT_EQ(refused.value2.hErrNode_out, node);
        EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_SUCCESS);
    }
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_SUCCESS);
}

TEST_F(SimGraphConditionalTest, NestsNodesWithHandlesOfTheEnclosingGraph) {
    const CUgraphConditionalHandle outer = create_handle(1);
    const CUgraphConditionalHandle inner = create_handle(1);
    add_conditional(outer, CU_GRAPH_COND_TYPE_IF, 1, bodies);
    const auto nested = conditional_parameters(inner, CU_GRAPH_COND_TYPE_IF, 1);
    const auto [status, node, given] = cuGraphAddNode(bodies[0], nullptr, nullptr, 0, nested);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddNode(bodies[0], nullptr, nullptr, 0, nested).status, CUDA_ERROR_INVALID_VALUE) << "a handle has one node";
    EXPECT_EQ(cuGraphAddNode(graph, nullptr, nullptr, 0, nested).status, CUDA_ERROR_INVALID_VALUE) << "a handle has one node";
    add_fill(given.conditional.phGraph_out[0], byte_fill(memory, 3, 4));
    launch(instantiate(graph), create_stream());
    EXPECT_EQ(read(memory, 4), std::vector<std::uint8_t>(4, 3));
    const auto of_body = cuGraphConditionalHandleCreate(bodies[0], context, 0, 0);
    EXPECT_EQ(cuGraphAddNode(graph, nullptr, nullptr, 0, conditional_parameters(of_body.value, CU_GRAPH_COND_TYPE_IF, 1)).status,
              CUDA_ERROR_INVALID_VALUE)
        << "a handle of a body cannot be used outside the body";
}

TEST_F(SimGraphConditionalTest, RequiresAContext) {
    EXPECT_EQ(cuGraphConditionalHandleCreate(graph, nullptr, 0, 0).status, CUDA_ERROR_INVALID_CONTEXT);
    CUgraphNodeParams parameters = conditional_parameters(create_handle(0), CU_GRAPH_COND_TYPE_IF, 1);
    parameters.conditional.ctx = nullptr;
    EXPECT_EQ(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimGraphConditionalTest, IsSetByPtxUntilTheExecutableGraphIsDestroyed) {
    const char* const ptx =
        ".version 8.3\n.target sm_90\n.address_size 64\n"
        ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
        ".visible .entry set(.param .u64 condition, .param .u32 value) {\n"
        ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [condition]; ld.param.u32 %r, [value];\n"
        "{ .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %d; st.param.b32 [p1], %r;\n"
        "call.uni cudaGraphSetConditional, (p0, p1); } ret; }\n";
    module = cuModuleLoadData(ptx).value;
    const CUgraphConditionalHandle condition = create_handle(1);
    add_conditional(condition, CU_GRAPH_COND_TYPE_WHILE, 1, bodies);
    add_kernel(bodies[0], "set", condition, 0u);
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(exec, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_FALSE(cubind::sim::set_conditional(condition, 0));
}

TEST_F(SimGraphConditionalTest, EndsALoopWhoseKernelFails) {
    cubind::sim::define_kernel(
        "choose", [](const cubind::sim::Launch&, CUgraphConditionalHandle, unsigned) { throw std::runtime_error("broken"); });
    const CUgraphConditionalHandle condition = create_handle(1);
    add_conditional(condition, CU_GRAPH_COND_TYPE_WHILE, 1, bodies);
    add_kernel(bodies[0], "choose", condition, 0u);
    EXPECT_EQ(cuGraphLaunch(instantiate(graph), nullptr).status, CUDA_SUCCESS);
    EXPECT_NE(cuStreamSynchronize(nullptr).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
