// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that launch graphs.
#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

// The list begins with its length. The last constant is cudaStreamGraphFireAndForgetAsSibling, which CUDA 12.0 does not have.
constexpr const char* device_graph_source = R"(
#define SIBLING ((cudaStream_t)0x0300000000000000)
extern "C" {
__global__ void append(int* list, int value) { list[atomicAdd(list, 1) + 1] = value; }

__global__ void launch_tails(int* list, cudaGraphExec_t first, cudaGraphExec_t second, int* errors) {
    errors[0] = cudaGraphLaunch(first, cudaStreamGraphTailLaunch);
    errors[1] = cudaGraphLaunch(second, cudaStreamGraphTailLaunch);
    list[atomicAdd(list, 1) + 1] = 1;
}

__global__ void launch_children(cudaGraphExec_t first, cudaGraphExec_t second, cudaGraphExec_t last, int* errors) {
    errors[0] = cudaGraphLaunch(last, cudaStreamGraphTailLaunch);
    errors[1] = cudaGraphLaunch(first, cudaStreamGraphFireAndForget);
    errors[2] = cudaGraphLaunch(second, SIBLING);
}

// Launches another graph in each round, then its own graph for the next round.
__global__ void count_rounds(int* rounds, cudaGraphExec_t work, int limit, int* errors) {
    const int round = atomicAdd(rounds, 1);
    errors[0] += cudaGraphLaunch(work, cudaStreamGraphFireAndForget);
    if (round + 1 < limit) errors[0] += cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

__global__ void launch_next(int* count, cudaGraphExec_t next) {
    atomicAdd(count, 1);
    if (next != nullptr) atomicAdd(count + 1, cudaGraphLaunch(next, cudaStreamGraphFireAndForget));
}

__global__ void repeat_for_ever(int* count) {
    atomicAdd(count, 1);
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

__global__ void launch_wrongly(cudaGraphExec_t graph, cudaGraphExec_t other, int* errors) {
    errors[0] = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
    errors[1] = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
    errors[2] = cudaGraphLaunch(other, cudaStreamGraphFireAndForget);
    errors[3] = cudaGetCurrentGraphExec() != nullptr;
}
}
)";

class DeviceGraphTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) prepare();
    }
    /// Replaces the simulated driver by one with these options, with a current context.
    void restart(sim::Options options) {
        options.memory = std::size_t{1} << 30;
        sim::install(options);
        ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
        ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
        prepare();
    }
    /// Loads the kernels into the current context.
    void prepare() {
        load_with_device_runtime(device_graph_source);
        const auto [status, stream] = cuStreamCreate(CU_STREAM_NON_BLOCKING);
        ASSERT_EQ(status, CUDA_SUCCESS);
        stream_ = stream;
    }

    /// Instantiates a graph that launches one kernel with one thread. Uploads it if kernels can launch it.
    template <class... Arguments>
    CUgraphExec graph(unsigned long long flags, const char* kernel, Arguments... arguments) {
        const CUgraph definition = cuGraphCreate(0).value;
        void* addresses[] = {&arguments..., nullptr};
        CUDA_KERNEL_NODE_PARAMS params{};
        params.func = function(kernel);
        params.gridDimX = params.gridDimY = params.gridDimZ = 1;
        params.blockDimX = params.blockDimY = params.blockDimZ = 1;
        params.kernelParams = addresses;
        EXPECT_EQ(cuGraphAddKernelNode(definition, nullptr, 0, &params).status, CUDA_SUCCESS);
        const auto [status, executable] = cuGraphInstantiate(definition, flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphDestroy(definition).status, CUDA_SUCCESS);
        const bool needs_upload = flags == for_device;
        EXPECT_EQ(needs_upload ? cuGraphUpload(executable, stream_).status : CUDA_SUCCESS, CUDA_SUCCESS);
        return executable;
    }
    CUresult launch_graph(CUgraphExec executable) {
        const CUresult status = cuGraphLaunch(executable, stream_).status;
        return status != CUDA_SUCCESS ? status : cuStreamSynchronize(stream_).status;
    }

    static constexpr unsigned long long for_device = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    CUstream stream_ = nullptr;
};

TEST_P(DeviceGraphTest, RunsTailLaunchesInOrderAfterTheGraph) {
    const CUdeviceptr list = zeros<int>(16);
    const CUdeviceptr errors = zeros<int>(2);
    const CUgraphExec third = graph(for_device, "append", list, 3);
    const CUgraphExec fourth = graph(for_device, "append", list, 4);
    const CUgraphExec second = graph(for_device, "launch_tails", list, third, fourth, errors);
    const CUgraphExec fifth = graph(for_device, "append", list, 5);
    const CUgraphExec first = graph(0, "launch_tails", list, second, fifth, errors);
    ASSERT_EQ(launch_graph(first), CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(list, 6), (std::vector<int>{5, 1, 1, 3, 4, 5})) << "tails of a tail come first";
    EXPECT_EQ(download<int>(errors, 2), (std::vector<int>{0, 0}));
    ASSERT_EQ(launch_graph(first), CUDA_SUCCESS) << "a launch leaves nothing behind; " << problem();
    EXPECT_EQ(download<int>(list, 1)[0], 10);
}

TEST_P(DeviceGraphTest, RunsGraphsWithoutAnOrderBeforeTheTail) {
    const CUdeviceptr list = zeros<int>(8);
    const CUdeviceptr errors = zeros<int>(3);
    const CUgraphExec first = graph(for_device, "append", list, 1);
    const CUgraphExec sibling = graph(for_device, "append", list, 1);
    const CUgraphExec last = graph(for_device, "append", list, 2);
    ASSERT_EQ(launch_graph(graph(0, "launch_children", first, sibling, last, errors)), CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(errors, 3), (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(download<int>(list, 1)[0], 3);
}

TEST_P(DeviceGraphTest, LetsAGraphLaunchItselfAgain) {
    constexpr int rounds = 300;
    const CUdeviceptr list = zeros<int>(rounds + 1);
    const CUdeviceptr counts = zeros<int>(2);
    const CUgraphExec work = graph(for_device, "append", list, 7);
    ASSERT_EQ(launch_graph(graph(for_device, "count_rounds", counts, work, rounds, counts + sizeof(int))), CUDA_SUCCESS)
        << problem();
    EXPECT_EQ(download<int>(counts, 2), (std::vector<int>{rounds, 0}));
    std::vector<int> expected(rounds + 1, 7);
    expected[0] = rounds;
    EXPECT_EQ(download<int>(list, rounds + 1), expected);
}

TEST_P(DeviceGraphTest, RefusesAGraphThatRuns) {
    const CUdeviceptr list = zeros<int>(8);
    const CUdeviceptr errors = zeros<int>(4);
    const CUgraphExec valid = graph(for_device, "append", list, 1);
    ASSERT_EQ(launch_graph(graph(0, "launch_wrongly", valid, valid, errors)), CUDA_SUCCESS) << problem();
    constexpr int invalid_value = 1;
    EXPECT_EQ(download<int>(errors, 4), (std::vector<int>{0, invalid_value, invalid_value, 0}));
    EXPECT_EQ(download<int>(list, 2), (std::vector<int>{1, 1}));
}

TEST_P(DeviceGraphTest, FailsAfterALaunchOfAGraphOfTheHost) {
    const CUdeviceptr list = zeros<int>(8);
    const CUdeviceptr errors = zeros<int>(4);
    const CUgraphExec valid = graph(for_device, "append", list, 1);
    const CUgraphExec of_host = graph(0, "append", list, 2);
    EXPECT_EQ(launch_graph(graph(0, "launch_wrongly", valid, of_host, errors)), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(),
                HasSubstr("cudaGraphLaunch of kernel launch_wrongly got a handle of no graph that kernels can launch"));
}

TEST_P(DeviceGraphTest, RunsTheOperationsOfTheLatestUpload) {
    const CUdeviceptr list = zeros<int>(8);
    const CUdeviceptr errors = zeros<int>(4);
    const CUgraph definition = cuGraphCreate(0).value;
    CUDA_MEMSET_NODE_PARAMS fill{.dst = list, .pitch = 0, .value = 9, .elementSize = 4, .width = 1, .height = 1};
    const CUcontext context = cuCtxGetCurrent().value;
    const auto [status, node] = cuGraphAddMemsetNode(definition, nullptr, 0, &fill, context);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const CUgraphExec filling = cuGraphInstantiate(definition, for_device).value;
    const CUgraphExec root = graph(0, "launch_wrongly", filling, filling, errors);
    // Returns the error of the launch by the kernel, and what the graph has written.
    const auto launch_by_kernel = [&] {
        EXPECT_EQ(launch_graph(root), CUDA_SUCCESS) << problem();
        const int written = download<int>(list, 1)[0];  // first, because the hash of the results depends on the order
        return std::pair(download<int>(errors, 1)[0], written);
    };
    constexpr int invalid_value = 1;
    EXPECT_EQ(launch_by_kernel(), std::pair(invalid_value, 0)) << "never uploaded";
    EXPECT_EQ(cuGraphUpload(filling, stream_).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 9));
    fill.value = 5;
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(filling, node, &fill, context).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 9)) << "not uploaded since the change";
    EXPECT_EQ(cuGraphUpload(filling, stream_).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 5));
    fill.value = 6;
    EXPECT_EQ(cuGraphMemsetNodeSetParams(node, &fill).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecUpdate(filling, definition).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 5)) << "not uploaded since the update";
    EXPECT_EQ(cuGraphLaunch(filling, stream_).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 6)) << "a launch of the host uploads";
    EXPECT_EQ(cuMemsetD32(list, 0, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeSetEnabled(filling, node, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 6)) << "not uploaded since the node was disabled";
    EXPECT_EQ(cuMemsetD32(list, 0, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphUpload(filling, stream_).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_by_kernel(), std::pair(0, 0)) << "the only node is disabled";
}

TEST_P(DeviceGraphTest, RefusesALaunchOutsideOfAGraph) {
    if (std::getenv("CUBIND_TEST_GPU") != nullptr) GTEST_SKIP() << "undefined on a GPU";
    const CUdeviceptr errors = zeros<int>(4);
    EXPECT_EQ(launch("launch_wrongly", {1}, {1}, 0, CUgraphExec{}, CUgraphExec{}, errors), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(problem(), HasSubstr("cudaGraphLaunch of kernel launch_wrongly needs a launch of the kernel by a graph"));
}

TEST_P(DeviceGraphTest, RunsManyGraphsInsideEachOther) {
    if (std::getenv("CUBIND_TEST_GPU") != nullptr) GTEST_SKIP() << "exceeds the limits of a GPU";
    constexpr int depth = 20000;
    const CUdeviceptr count = zeros<int>(2);
    CUgraphExec next = nullptr;
    for (int i = 0; i < depth; ++i) next = graph(for_device, "launch_next", count, next);
    ASSERT_EQ(launch_graph(graph(0, "launch_next", count, next)), CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(count, 2), (std::vector<int>{depth + 1, 0}));
}

TEST_P(DeviceGraphTest, EndsAGraphThatRepeatsItselfForEver) {
    if (std::getenv("CUBIND_TEST_GPU") != nullptr) GTEST_SKIP() << "a GPU has no limit";
    restart({.kernel_seconds = 1});
    const CUdeviceptr count = zeros<int>(1);
    EXPECT_EQ(launch_graph(graph(for_device, "repeat_for_ever", count)), CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(problem(), HasSubstr("the limit is 1 s"));

    restart({.shutdown_seconds = 0});
    auto* const rounds = static_cast<int*>(cuMemHostAlloc(sizeof(int), 0).value);
    *rounds = 0;
    ASSERT_EQ(cuGraphLaunch(graph(for_device, "repeat_for_ever", reinterpret_cast<CUdeviceptr>(rounds)), stream_).status,
              CUDA_SUCCESS);
    while (__atomic_load_n(rounds, __ATOMIC_ACQUIRE) < 10) std::this_thread::yield();
    EXPECT_EQ(cuCtxDestroy(cuCtxGetCurrent().value).status, CUDA_SUCCESS) << "waits until the graph has ended";
}

TEST_P(DeviceGraphTest, EndsAGraphThatIsDestroyedWhileItRepeatsItself) {
    if (std::getenv("CUBIND_TEST_GPU") != nullptr) GTEST_SKIP() << "undefined on a GPU";
    auto* const rounds = static_cast<int*>(cuMemHostAlloc(sizeof(int), 0).value);
    *rounds = 0;
    const CUgraphExec endless = graph(for_device, "repeat_for_ever", reinterpret_cast<CUdeviceptr>(rounds));
    ASSERT_EQ(cuGraphLaunch(endless, stream_).status, CUDA_SUCCESS);
    while (__atomic_load_n(rounds, __ATOMIC_ACQUIRE) < 10) std::this_thread::yield();
    // Not by exit(): the leak sanitizer would report what the thread of the parent has allocated.
    EXPECT_EXIT(_exit(cuGraphExecDestroy(endless).status == CUDA_SUCCESS ? 5 : 6), ::testing::ExitedWithCode(6), "")
        << "in a child of fork()";
    EXPECT_EQ(cuGraphExecDestroy(endless).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream_).status, CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("a graph must exist"));
}

TEST_P(DeviceGraphTest, RefusesHandlesThatAreNoGraphs) {
    if (std::getenv("CUBIND_TEST_GPU") != nullptr) GTEST_SKIP() << "undefined on a GPU";
    for (const std::uintptr_t handle :
         {std::uintptr_t{0}, std::uintptr_t{1}, ~std::uintptr_t{0}, reinterpret_cast<std::uintptr_t>(stream_)}) {
        restart({});
        const CUdeviceptr errors = zeros<int>(4);
        const auto wrong = reinterpret_cast<CUgraphExec>(handle);
        EXPECT_EQ(launch_graph(graph(0, "launch_wrongly", wrong, wrong, errors)), CUDA_ERROR_ILLEGAL_ADDRESS) << handle;
    }
}

TEST_P(DeviceGraphTest, IsLaunchedByThreadsWhileOthersDestroyGraphs) {
    if (std::getenv("CUBIND_TEST_GPU") != nullptr) GTEST_SKIP() << "the order of threads is undefined";
    constexpr int threads = 8;
    constexpr int rounds = 100;
    const CUdeviceptr list = zeros<int>(1 << 16);
    const CUdeviceptr counts = zeros<int>(2);
    const CUgraphExec work = graph(for_device, "append", list, 7);
    const CUgraphExec simple = graph(0, "launch_next", counts, work);
    const CUcontext context = cuCtxGetCurrent().value;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) {
        all.emplace_back([&, i] {
            EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
            const auto [status, stream] = cuStreamCreate(CU_STREAM_NON_BLOCKING);
            EXPECT_EQ(status, CUDA_SUCCESS);
            for (int round = 0; round < rounds; ++round) {
                EXPECT_EQ(cuGraphLaunch(simple, stream).status, CUDA_SUCCESS);
                EXPECT_EQ(cuGraphUpload(work, stream).status, CUDA_SUCCESS);
                const CUgraphExec own = graph(i % 2 == 0 ? for_device : 0, "launch_next", counts, work);
                EXPECT_EQ(cuGraphLaunch(own, stream).status, CUDA_SUCCESS);
                EXPECT_EQ(cuGraphExecDestroy(own).status, CUDA_SUCCESS);
            }
            EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS) << problem();
        });
    }
    for (std::thread& each : all) each.join();
    EXPECT_EQ(download<int>(counts, 2), (std::vector<int>{2 * threads * rounds, 0}));
    EXPECT_EQ(download<int>(list, 1)[0], 2 * threads * rounds);
}

INSTANTIATE_TEST_SUITE_P(Kernels, DeviceGraphTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
