// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphMemory : public GraphTest {
protected:
    static CUDA_MEM_ALLOC_NODE_PARAMS wanted(std::size_t size) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
        parameters.bytesize = size;
        return parameters;
    }
    static CUgraphNode allocation(CUgraph graph, std::size_t size, CUdeviceptr& address) {
        const auto [status, node, given] = cuGraphAddMemAllocNode(graph, nullptr, 0, wanted(size));
        EXPECT_EQ(status, CUDA_SUCCESS);
        address = given.dptr;
        return node;
    }
    static std::size_t free_bytes() {
        const auto [status, free, total] = cuMemGetInfo();
        EXPECT_EQ(status, CUDA_SUCCESS);
        return free;
    }
    static cuuint64_t attribute(CUgraphMem_attribute which) {
        cuuint64_t value = 0;
        EXPECT_EQ(cuDeviceGetGraphMemAttribute(0, which, &value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_F(SimGraphMemory, IsThereFromTheLaunchOn) {
    const CUgraph graph = new_graph();
    CUdeviceptr address = 0;
    allocation(graph, 1000, address);
    EXPECT_EQ(cuMemsetD8(address, 1, 10).status, CUDA_ERROR_INVALID_VALUE) << "no launch yet";
    const CUgraphExec exec = executable(graph);
    const CUstream in = stream();
    launch(exec, in);
    EXPECT_EQ(cuMemsetD8(address, 1, 1000).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 1, 1001).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, in).status, CUDA_ERROR_INVALID_VALUE) << "nobody has freed it";
    EXPECT_EQ(cuMemFreeAsync(address, in).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeAsync(address, in).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(address).status, CUDA_ERROR_INVALID_VALUE);
    launch(exec, in);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 1, 1000).status, CUDA_SUCCESS) << "it outlives its graph";
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemory, IsFreedByANode) {
    const CUgraph graph = new_graph();
    CUdeviceptr address = 0;
    const CUgraphNode made = allocation(graph, 64, address);
    const CUgraphNode filled = fill(graph, bytes(address, 4, 64), {made});
    const CUdeviceptr result = allocate(64);
    const CUgraphNode copied = copy(graph, line(result, address, 64), {filled});
    const auto [status, freed] = cuGraphAddMemFreeNode(graph, &copied, 1, address);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphMemFreeNodeGetParams(freed).value, address);
    EXPECT_EQ(cuGraphAddMemFreeNode(graph, &freed, 1, address).status, CUDA_ERROR_INVALID_VALUE) << "once is enough";
    const CUgraphExec exec = executable(graph);
    const CUstream in = stream();
    {
        Gate gate(in);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
    }
    EXPECT_EQ(read(result, 64), std::vector<std::uint8_t>(64, 4));
    EXPECT_EQ(cuMemsetD8(address, 1, 10).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphMemory, IsFreedByTheNextLaunchIfThatIsWanted) {
    const CUgraph graph = new_graph();
    CUdeviceptr address = 0;
    allocation(graph, 64, address);
    const CUgraphExec exec = executable(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    const CUstream in = stream();
    launch(exec, in);
    launch(exec, in);
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemory, StaysWithGraphsUntilItIsTrimmed) {
    const std::size_t free_before = free_bytes();
    const CUgraph graph = new_graph();
    CUdeviceptr address = 0;
    allocation(graph, 1 << 20, address);
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0u);
    launch(executable(graph), stream());
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 1u << 20);
    EXPECT_EQ(free_bytes(), free_before - (1 << 20));
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 1u << 20);
    EXPECT_EQ(cuDeviceGraphMemTrim(0).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0u);
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), 1u << 20);
    EXPECT_EQ(free_bytes(), free_before);
    cuuint64_t value = 1;
    EXPECT_EQ(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &value).status, CUDA_ERROR_INVALID_VALUE);
    value = 0;
    EXPECT_EQ(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &value).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &value).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 0u);
    EXPECT_EQ(cuDeviceGraphMemTrim(99).status, CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(SimGraphMemory, WrongWishesAreRefused) {
    const CUgraph graph = new_graph();
    const auto status_of = [&](const CUDA_MEM_ALLOC_NODE_PARAMS& what) {
        return cuGraphAddMemAllocNode(graph, nullptr, 0, what).status;
    };
    EXPECT_EQ(status_of(wanted(0)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(wanted(std::size_t{1} << 50)), CUDA_ERROR_OUT_OF_MEMORY);
    CUDA_MEM_ALLOC_NODE_PARAMS bad = wanted(64);
    bad.poolProps.location.id = 99;
    EXPECT_EQ(status_of(bad), CUDA_ERROR_INVALID_VALUE);
    bad = wanted(64);
    bad.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    EXPECT_EQ(status_of(bad), CUDA_ERROR_NOT_SUPPORTED);
    bad = wanted(64);
    bad.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    EXPECT_EQ(status_of(bad), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddMemFreeNode(graph, nullptr, 0, 0x1000).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(SimGraphMemory, ItsGraphsAreOneOfAKind) {
    const CUgraph graph = new_graph();
    CUdeviceptr address = 0;
    const CUgraphNode node = allocation(graph, 64, address);
    const CUgraphNode other = empty(graph, {node});
    EXPECT_EQ(cuGraphClone(graph).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphAddChildGraphNode(new_graph(), nullptr, 0, graph).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &node, &other, nullptr, 1).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_ERROR_NOT_SUPPORTED);
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphExecUpdate(exec, graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemory, ALaunchThatFailsLeavesNothingBehind) {
    const CUgraph graph = new_graph();
    CUdeviceptr first = 0;
    CUdeviceptr second = 0;
    allocation(graph, std::size_t{700} << 20, first);
    allocation(graph, std::size_t{700} << 20, second);
    EXPECT_EQ(cuGraphLaunch(executable(graph), stream()).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemsetD8(first, 1, 10).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
