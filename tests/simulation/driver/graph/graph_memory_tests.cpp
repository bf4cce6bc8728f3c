// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphMemoryTest : public GraphTest {
protected:
    static CUDA_MEM_ALLOC_NODE_PARAMS alloc_parameters(std::size_t size) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
        parameters.bytesize = size;
        return parameters;
    }
    static CUgraphNode add_allocation(CUgraph graph, std::size_t size, CUdeviceptr& address) {
        const auto [status, node, given] = cuGraphAddMemAllocNode(graph, nullptr, 0, alloc_parameters(size));
        EXPECT_EQ(status, CUDA_SUCCESS);
        address = given.dptr;
        return node;
    }
    static std::size_t free_bytes() {
        const auto [status, free, total] = cuMemGetInfo();
        EXPECT_EQ(status, CUDA_SUCCESS);
        return free;
    }
    static cuuint64_t attribute(CUgraphMem_attribute attribute_id) {
        cuuint64_t value = 0;
        EXPECT_EQ(cuDeviceGetGraphMemAttribute(0, attribute_id, &value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_F(SimGraphMemoryTest, ExistsFromTheLaunchUntilItIsFreed) {
    const CUgraph graph = create_graph();
    CUdeviceptr address = 0;
    add_allocation(graph, 1000, address);
    EXPECT_EQ(cuMemsetD8(address, 1, 10).status, CUDA_ERROR_INVALID_VALUE) << "before the launch";
    const CUgraphExec exec = instantiate(graph);
    const CUstream stream = create_stream();
    launch(exec, stream);
    EXPECT_EQ(cuMemsetD8(address, 1, 1000).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 1, 1001).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, stream).status, CUDA_ERROR_INVALID_VALUE) << "the memory was not freed";
    EXPECT_EQ(cuMemFreeAsync(address, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeAsync(address, stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(address).status, CUDA_ERROR_INVALID_VALUE);
    launch(exec, stream);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 1, 1000).status, CUDA_SUCCESS) << "the memory outlives its graph";
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemoryTest, MayBeManaged) {
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = alloc_parameters(1000);
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
    const std::size_t before = free_bytes();
    const CUgraph graph = create_graph();
    const auto [status, node, given] = cuGraphAddMemAllocNode(graph, nullptr, 0, parameters);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const CUstream stream = create_stream();
    launch(instantiate(graph), stream);
    unsigned is_managed = 0;
    EXPECT_EQ(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, given.dptr).status, CUDA_SUCCESS);
    EXPECT_EQ(is_managed, 1u);
    EXPECT_EQ(free_bytes(), before) << "managed memory uses no device memory";
    static_cast<unsigned char*>(reinterpret_cast<void*>(given.dptr))[999] = 1;
    EXPECT_EQ(cuMemFreeAsync(given.dptr, stream).status, CUDA_SUCCESS);
    parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_HOST;
    EXPECT_EQ(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters).status, CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(SimGraphMemoryTest, IsFreedByAMemFreeNode) {
    const CUgraph graph = create_graph();
    CUdeviceptr address = 0;
    const CUgraphNode allocated = add_allocation(graph, 64, address);
    const CUgraphNode filled = add_fill(graph, byte_fill(address, 4, 64), {allocated});
    const CUdeviceptr result = allocate(64);
    const CUgraphNode copied = add_copy(graph, linear_copy(result, address, 64), {filled});
    const auto [status, freed] = cuGraphAddMemFreeNode(graph, &copied, 1, address);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphMemFreeNodeGetParams(freed).value, address);
    EXPECT_EQ(cuGraphAddMemFreeNode(graph, &freed, 1, address).status, CUDA_ERROR_INVALID_VALUE) << "freed twice";
    const CUgraphExec exec = instantiate(graph);
    const CUstream stream = create_stream();
    {
        Gate gate(stream);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
    }
    EXPECT_EQ(read(result, 64), std::vector<std::uint8_t>(64, 4));
    EXPECT_EQ(cuMemsetD8(address, 1, 10).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphMemoryTest, IsFreedByTheNextLaunchIfRequested) {
    const CUgraph graph = create_graph();
    CUdeviceptr address = 0;
    add_allocation(graph, 64, address);
    const CUgraphExec exec = instantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    const CUstream stream = create_stream();
    launch(exec, stream);
    launch(exec, stream);
    EXPECT_EQ(cuMemFree(address).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemoryTest, RemainsReservedUntilItIsTrimmed) {
    const std::size_t free_before = free_bytes();
    const CUgraph graph = create_graph();
    CUdeviceptr address = 0;
    add_allocation(graph, 1 << 20, address);
    EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0u);
    launch(instantiate(graph), create_stream());
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

TEST_F(SimGraphMemoryTest, RejectsInvalidParameters) {
    const CUgraph graph = create_graph();
    const auto status_of = [&](const CUDA_MEM_ALLOC_NODE_PARAMS& parameters) {
        return cuGraphAddMemAllocNode(graph, nullptr, 0, parameters).status;
    };
    EXPECT_EQ(status_of(alloc_parameters(0)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(alloc_parameters(std::size_t{1} << 50)), CUDA_ERROR_OUT_OF_MEMORY);
    CUDA_MEM_ALLOC_NODE_PARAMS invalid = alloc_parameters(64);
    invalid.poolProps.location.id = 99;
    EXPECT_EQ(status_of(invalid), CUDA_ERROR_INVALID_VALUE);
    invalid = alloc_parameters(64);
    invalid.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    EXPECT_EQ(status_of(invalid), CUDA_ERROR_NOT_SUPPORTED);
    invalid = alloc_parameters(64);
    invalid.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    EXPECT_EQ(status_of(invalid), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddMemFreeNode(graph, nullptr, 0, 0x1000).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(SimGraphMemoryTest, RejectsCloningAndASecondInstantiation) {
    const CUgraph graph = create_graph();
    CUdeviceptr address = 0;
    const CUgraphNode node = add_allocation(graph, 64, address);
    const CUgraphNode other = add_empty(graph, {node});
    EXPECT_EQ(cuGraphClone(graph).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphAddChildGraphNode(create_graph(), nullptr, 0, graph).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &node, &other, nullptr, 1).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_ERROR_NOT_SUPPORTED);
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuGraphExecUpdate(exec, graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_SUCCESS);
}

TEST_F(SimGraphMemoryTest, IsNotAllocatedByALaunchThatFails) {
    const CUgraph graph = create_graph();
    CUdeviceptr first = 0;
    CUdeviceptr second = 0;
    add_allocation(graph, std::size_t{700} << 20, first);
    add_allocation(graph, std::size_t{700} << 20, second);
    EXPECT_EQ(cuGraphLaunch(instantiate(graph), create_stream()).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemsetD8(first, 1, 10).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
