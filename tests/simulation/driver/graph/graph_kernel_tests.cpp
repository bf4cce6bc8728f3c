// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/kernels.hpp>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphKernelTest : public GraphTest {
protected:
    void SetUp() override {
        GraphTest::SetUp();
        const char* const ptx =
            ".version 7.0\n.target sm_70\n.address_size 64\n"
            ".visible .entry add(.param .u64 to, .param .u32 value) { ret; }\n"
            ".visible .entry nothing() { ret; }\n";
        cubind::sim::define_kernel(
            "add", [](const cubind::sim::Launch& launch, int* to, int value) { launch.memory(to, 1)[0] += value; });
        module = cuModuleLoadData(ptx).value;
        function = cuModuleGetFunction(module, "add").value;
        memory = allocate(sizeof(int));
        EXPECT_EQ(cuMemsetD32(memory, 0, 1).status, CUDA_SUCCESS);
    }
    /// Returns the parameters of a kernel node that adds `amount` to `memory`. They point to members of this object.
    CUDA_KERNEL_NODE_PARAMS add_parameters(int amount) {
        value = amount;
        CUDA_KERNEL_NODE_PARAMS parameters{};
        parameters.func = function;
        parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
        parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
        parameters.kernelParams = arguments;
        return parameters;
    }
    CUgraphNode add_node(CUgraph graph, int amount, const Nodes& after = {}) {
        const CUDA_KERNEL_NODE_PARAMS parameters = add_parameters(amount);
        const auto [status, added] = cuGraphAddKernelNode(graph, after.data(), after.size(), &parameters);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return added;
    }
    int sum() const {
        int value_on_host = 0;
        EXPECT_EQ(cuMemcpyDtoH(&value_on_host, memory, sizeof value_on_host).status, CUDA_SUCCESS);
        return value_on_host;
    }

    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr memory = 0;
    int value = 0;
    void* arguments[2] = {&memory, &value};
};

TEST_F(SimGraphKernelTest, CopiesItsArgumentsWhenItIsAdded) {
    const CUgraph graph = create_graph();
    const CUgraphNode first = add_node(graph, 3);
    add_node(graph, 4, {first});
    value = 100;
    const CUgraphExec exec = instantiate(graph);
    launch(exec, create_stream());
    launch(exec, create_stream());
    EXPECT_EQ(sum(), 14);
    const CUDA_KERNEL_NODE_PARAMS stored = cuGraphKernelNodeGetParams(first).value;
    EXPECT_EQ(stored.func, function);
    EXPECT_EQ(stored.gridDimX, 1u);
    EXPECT_EQ(*static_cast<int*>(stored.kernelParams[1]), 3);
    EXPECT_EQ(cuGraphKernelNodeGetParams_v1(first).value.func, function);
}

TEST_F(SimGraphKernelTest, IsCapturedWithItsArguments) {
    const CUstream stream = create_stream();
    value = 5;
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr).status, CUDA_SUCCESS);
    const CUgraph graph = cuStreamEndCapture(stream).value;
    EXPECT_EQ(types_of(graph), std::vector<CUgraphNodeType>{CU_GRAPH_NODE_TYPE_KERNEL});
    EXPECT_EQ(sum(), 0);
    launch(instantiate(graph), stream);
    EXPECT_EQ(sum(), 5);
}

TEST_F(SimGraphKernelTest, AcceptsOtherParameters) {
    const CUgraph graph = create_graph();
    const CUgraphNode added = add_node(graph, 1);
    const CUgraphExec exec = instantiate(graph);
    CUDA_KERNEL_NODE_PARAMS other = add_parameters(20);
    EXPECT_EQ(cuGraphExecKernelNodeSetParams(exec, added, &other).status, CUDA_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(sum(), 20);
    other.gridDimX = 0;
    EXPECT_EQ(cuGraphExecKernelNodeSetParams(exec, added, &other).status, CUDA_ERROR_INVALID_VALUE);
    other = add_parameters(0);
    other.func = cuModuleGetFunction(module, "nothing").value;
    other.kernelParams = nullptr;
    EXPECT_EQ(cuGraphExecKernelNodeSetParams(exec, added, &other).status, CUDA_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(sum(), 20);
    EXPECT_EQ(cuGraphKernelNodeSetParams(added, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphKernelTest, GetsSetsAndCopiesAttributes) {
    const CUgraph graph = create_graph();
    const CUgraphNode first = add_node(graph, 1);
    const CUgraphNode second = add_node(graph, 1);
    CUkernelNodeAttrValue attribute{};
    attribute.priority = -3;
    EXPECT_EQ(cuGraphKernelNodeGetAttribute(first, CU_LAUNCH_ATTRIBUTE_PRIORITY).value.priority, 0);
    EXPECT_EQ(cuGraphKernelNodeSetAttribute(first, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphKernelNodeCopyAttributes(second, first).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphKernelNodeGetAttribute(second, CU_LAUNCH_ATTRIBUTE_PRIORITY).value.priority, -3);
    const CUDA_KERNEL_NODE_PARAMS other = add_parameters(2);
    EXPECT_EQ(cuGraphKernelNodeSetParams(first, &other).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphKernelNodeGetAttribute(first, CU_LAUNCH_ATTRIBUTE_PRIORITY).value.priority, -3)
        << "attributes are independent of parameters";
    EXPECT_EQ(cuGraphKernelNodeGetAttribute(first, static_cast<CUkernelNodeAttrID>(200)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphKernelNodeGetAttribute(add_empty(graph), CU_LAUNCH_ATTRIBUTE_PRIORITY).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphKernelNodeSetAttribute(first, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphKernelNodeCopyAttributes(second, add_empty(graph)).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphKernelTest, SupportsProgrammaticEdges) {
    const CUgraph graph = create_graph();
    const CUgraphNode first = add_node(graph, 1);
    const CUgraphNode second = add_node(graph, 1);
    const CUgraphEdgeData data{CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}};
    EXPECT_EQ(cuGraphAddDependencies(graph, &first, &second, &data, 1).status, CUDA_SUCCESS);
    CUgraphNode found = nullptr;
    EXPECT_EQ(cuGraphNodeGetDependencies(second, &found, nullptr, 1).status, CUDA_ERROR_LOSSY_QUERY);
    CUgraphEdgeData found_data{};
    EXPECT_EQ(cuGraphNodeGetDependencies(second, &found, &found_data, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(found, first);
    EXPECT_EQ(found_data.type, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC);
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &first, &second, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE)
        << "the edge has other data";
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &first, &second, &data, 1).status, CUDA_SUCCESS);
}

TEST_F(SimGraphKernelTest, CapturesProgrammaticLaunches) {
    const CUstream stream = create_stream();
    CUlaunchAttribute early{};
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, stream, &early, 1};
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    ASSERT_EQ(cuLaunchKernelEx(&config, function, arguments, nullptr).status, CUDA_SUCCESS);
    ASSERT_EQ(cuLaunchKernelEx(&config, function, arguments, nullptr).status, CUDA_SUCCESS);
    const CUgraph graph = cuStreamEndCapture(stream).value;
    CUgraphNode from = nullptr;
    CUgraphNode to = nullptr;
    CUgraphEdgeData edge{};
    ASSERT_EQ(cuGraphGetEdges(graph, &from, &to, &edge, 1).value, 1u);
    EXPECT_EQ(edge.type, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC);
    EXPECT_EQ(edge.from_port, CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC);
}

TEST_F(SimGraphKernelTest, RejectsInvalidLaunches) {
    const CUgraph graph = create_graph();
    CUDA_KERNEL_NODE_PARAMS invalid = add_parameters(1);
    invalid.gridDimX = 0;
    EXPECT_EQ(cuGraphAddKernelNode(graph, nullptr, 0, &invalid).status, CUDA_ERROR_INVALID_VALUE);
    invalid = add_parameters(1);
    invalid.blockDimX = 2000;
    EXPECT_EQ(cuGraphAddKernelNode(graph, nullptr, 0, &invalid).status, CUDA_ERROR_INVALID_VALUE);
    invalid = add_parameters(1);
    invalid.func = nullptr;
    EXPECT_NE(cuGraphAddKernelNode(graph, nullptr, 0, &invalid).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddKernelNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

}  // namespace
}  // namespace cubind::testing
