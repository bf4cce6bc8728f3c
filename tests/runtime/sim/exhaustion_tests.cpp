// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the driver while the process has no memory or no threads left.
#include <cubind/driver/constants.hpp>

#include <sys/resource.h>
#include <type_traits>
#include <unistd.h>

#include "exhausted_memory.hpp"
#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimExhaustionTest : public GraphTest {
protected:
    static constexpr const char* ptx =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".global .align 4 .b8 values[1000];\n.visible .entry nothing() { ret; }\n";

    void SetUp() override {
        GraphTest::SetUp();
        stream = create_stream();
        memory = allocate(4096);
        // The first calls load the driver and create threads, which allocates memory.
        EXPECT_EQ(cuMemsetD8Async(memory, 0, 16, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    }

    /// Makes the call repeatedly, with 0, 1, 2 ... allocations left, until it succeeds, and returns its result. Each earlier call
    /// must report that memory is exhausted.
    template <class Call>
    static auto exhaust(const char* name, Call call) {
        for (long left = 0;; ++left) {
            const auto result = call_with(left, call);
            if (result.status == CUDA_SUCCESS || left == 10000) {
                EXPECT_EQ(result.status, CUDA_SUCCESS) << name;
                if constexpr (std::is_same_v<decltype(result), const cubind::Result<CUresult>>) {
                    return;
                } else {
                    return result;
                }
            }
            EXPECT_EQ(result.status, CUDA_ERROR_OUT_OF_MEMORY) << name << " with " << left << " allocations";
        }
    }
    template <class Call>
    static auto call_with(long allocations, Call call) {
        const LimitedMemory memory(allocations);
        return call();
    }
    static std::size_t free_bytes() { return cuMemGetInfo().value1; }

    CUstream stream = nullptr;
    CUdeviceptr memory = 0;
};

TEST_F(SimExhaustionTest, ReportsExhaustedHostMemoryAndChangesNothing) {
    const std::size_t before = free_bytes();
    const CUdeviceptr more = exhaust("cuMemAlloc", [] { return cuMemAlloc(1000); }).value;
    const CUdeviceptr managed = exhaust("cuMemAllocManaged", [] { return cuMemAllocManaged(1000, CU_MEM_ATTACH_GLOBAL); }).value;
    void* const host = exhaust("cuMemHostAlloc", [] { return cuMemHostAlloc(1000, 0); }).value;
    const CUdeviceptr pooled = exhaust("cuMemAllocAsync", [&] { return cuMemAllocAsync(1000, stream); }).value;
    exhaust("cuMemcpyDtoDAsync", [&] { return cuMemcpyDtoDAsync(more, memory, 100, stream); });
    exhaust("cuMemFreeAsync", [&] { return cuMemFreeAsync(pooled, stream); });
    const CUstream other = exhaust("cuStreamCreate", [] { return cuStreamCreate(0); }).value;
    const CUevent event = exhaust("cuEventCreate", [] { return cuEventCreate(0); }).value;
    exhaust("cuMemsetD8Async", [&] { return cuMemsetD8Async(more, 1, 100, other); });
    exhaust("cuMemsetD8Async on the legacy stream", [&] { return cuMemsetD8Async(more, 1, 100, nullptr); });
    exhaust("cuEventRecord", [&] { return cuEventRecord(event, other); });
    exhaust("cuStreamWaitEvent", [&] { return cuStreamWaitEvent(stream, event, 0); });
    exhaust("cuLaunchHostFunc", [&] {
        return cuLaunchHostFunc(
            other, [](void*) {}, nullptr);
    });
    const CUmodule module = exhaust("cuModuleLoadData", [] { return cuModuleLoadData(ptx); }).value;
    const CUfunction kernel = exhaust("cuModuleGetFunction", [&] { return cuModuleGetFunction(module, "nothing"); }).value;
    exhaust("cuLaunchKernel", [&] { return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
    exhaust("cuCtxSynchronize", [] { return cuCtxSynchronize(); });
    for (const CUdeviceptr each : {more, managed}) EXPECT_EQ(cuMemFree(each).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeHost(host).status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(other).status, CUDA_SUCCESS);
    EXPECT_EQ(free_bytes(), before) << "a failed call retains no memory";
}

TEST_F(SimExhaustionTest, ReportsExhaustedHostMemoryForGraphs) {
    const std::size_t before = free_bytes();
    const CUgraph graph = exhaust("cuGraphCreate", [] { return cuGraphCreate(0); }).value;
    const CUgraphNode first = exhaust("cuGraphAddEmptyNode", [&] { return cuGraphAddEmptyNode(graph, nullptr, 0); }).value;
    const CUDA_MEMSET_NODE_PARAMS fill = byte_fill(memory, 1, 16);
    const auto filled = exhaust("cuGraphAddMemsetNode", [&] { return cuGraphAddMemsetNode(graph, &first, 1, &fill, context); });
    EXPECT_EQ(nodes_of(graph), (Nodes{first, filled.value})) << "a failed call adds no node";
    CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
    allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.bytesize = 1000;
    const auto allocated =
        exhaust("cuGraphAddMemAllocNode", [&] { return cuGraphAddMemAllocNode(graph, nullptr, 0, allocation); });
    const CUgraphExec exec = exhaust("cuGraphInstantiate", [&] { return cuGraphInstantiateWithFlags(graph, 0); }).value;
    exhaust("cuGraphLaunch", [&] { return cuGraphLaunch(exec, stream); });
    EXPECT_EQ(cuMemFreeAsync(allocated.value2.dptr, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    exhaust("cuStreamBeginCapture", [&] { return cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED); });
    exhaust("cuMemsetD8Async while capturing", [&] { return cuMemsetD8Async(memory, 1, 16, stream); });
    const auto captured = exhaust("cuStreamEndCapture", [&] { return cuStreamEndCapture(stream); });
    EXPECT_EQ(nodes_of(captured.value).size(), 1u);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGraphMemTrim(0).status, CUDA_SUCCESS);
    EXPECT_EQ(free_bytes(), before);
}

// Runs in a child process, because it gives up the privileges of root, whose threads are not limited.
void use_streams_without_threads() {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0) std::exit(2);
    std::vector<CUstream> streams(480);
    for (CUstream& each : streams) each = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr target = cuMemAlloc(64).value;
    rlimit limit{};
    getrlimit(RLIMIT_NPROC, &limit);
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_NPROC, &limit);
    for (const CUstream each : streams) {
        if (cuMemsetD8Async(target, 1, 16, each).status != CUDA_ERROR_OPERATING_SYSTEM) std::exit(3);
        if (cuStreamQuery(each).status != CUDA_SUCCESS) std::exit(4);  // nothing was submitted
    }
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NPROC, &limit);
    for (const CUstream each : streams) {
        if (cuMemsetD8Async(target, 1, 16, each).status != CUDA_SUCCESS) std::exit(5);
    }
    std::exit(cuCtxSynchronize().status == CUDA_SUCCESS ? 0 : 6);
}

using SimThreadExhaustionTest = SimTest;

TEST_F(SimThreadExhaustionTest, ReportsThatNoThreadCanBeStarted) {
    EXPECT_EXIT(use_streams_without_threads(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
