// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels in several streams, in graphs, and in cooperative launches.
#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* stream_source = R"(
extern "C" {
__global__ void scale(int* x, int factor, int add, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * factor + add;
}
__global__ void combine(const int* x, const int* y, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] - y[i];
}
__global__ void wait_for(volatile int* flag, int* out) { while (*flag == 0) {} *out = *flag; }
__global__ void set(volatile int* flag, int value) { *flag = value; }
__global__ void mix(unsigned* x) {  // the result depends on the order of updates only if they do not commute
    atomicAdd(x, blockIdx.x * blockDim.x + threadIdx.x);
    atomicXor(x + 1, (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u);
}
}
)";

class StreamKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(stream_source);
    }
    static CUstream create_stream() { return cuStreamCreate(CU_STREAM_NON_BLOCKING).value; }
    static constexpr int count = 1000;
};

TEST_P(StreamKernelsTest, RunsTheKernelsOfEachStreamInOrder) {
    std::vector<CUstream> streams;
    std::vector<CUdeviceptr> memory;
    for (int i = 0; i < 4; ++i) streams.push_back(create_stream()), memory.push_back(upload(std::vector<int>(count, i)));
    // A copy from pageable memory may still run when it returns, and these streams do not wait for it.
    ASSERT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    for (int round = 0; round < 6; ++round) {
        for (std::size_t i = 0; i < 4; ++i) {
            ASSERT_EQ(enqueue("scale", streams[i], {8}, {128}, 0, memory[i], 3, round, count), CUDA_SUCCESS);
        }
    }
    ASSERT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << problem();
    for (std::size_t i = 0; i < 4; ++i) {
        int expected = static_cast<int>(i);
        for (int round = 0; round < 6; ++round) expected = 3 * expected + round;
        EXPECT_EQ(download<int>(memory[i], count), std::vector<int>(count, expected));
    }
}

TEST_P(StreamKernelsTest, LetsAKernelWaitForOneInAnotherStream) {
    const CUdeviceptr flag = zeros<int>(1), out = zeros<int>(1);
    ASSERT_EQ(enqueue("wait_for", create_stream(), {1}, {1}, 0, flag, out), CUDA_SUCCESS);
    ASSERT_EQ(enqueue("set", create_stream(), {1}, {1}, 0, flag, 5), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(out, 1)[0], 5);
}

TEST_P(StreamKernelsTest, WaitsForTheEventsOfOtherStreams) {
    const CUstream first = create_stream(), second = create_stream();
    const CUdeviceptr x = upload(std::vector<int>(count, 7)), y = upload(std::vector<int>(count, 2)), out = zeros<int>(count);
    const CUevent event = cuEventCreate(CU_EVENT_DISABLE_TIMING).value;
    ASSERT_EQ(enqueue("scale", first, {8}, {128}, 0, x, 5, 1, count), CUDA_SUCCESS);
    ASSERT_EQ(cuEventRecord(event, first).status, CUDA_SUCCESS);
    ASSERT_EQ(enqueue("scale", second, {8}, {128}, 0, y, 10, 0, count), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamWaitEvent(second, event, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(enqueue("combine", second, {8}, {128}, 0, x, y, out, count), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamSynchronize(second).status, CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(out, count), std::vector<int>(count, 16));
}

TEST_P(StreamKernelsTest, RunsCapturedKernels) {
    const CUstream first = create_stream(), second = create_stream();
    const CUdeviceptr x = upload(std::vector<int>(count, 1)), y = upload(std::vector<int>(count, 1)), out = zeros<int>(count);
    const CUevent fork = cuEventCreate(CU_EVENT_DISABLE_TIMING).value, join = cuEventCreate(CU_EVENT_DISABLE_TIMING).value;
    ASSERT_EQ(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    ASSERT_EQ(cuEventRecord(fork, first).status, CUDA_SUCCESS);
    ASSERT_EQ(cuStreamWaitEvent(second, fork, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(enqueue("scale", first, {8}, {128}, 0, x, 3, 1, count), CUDA_SUCCESS);
    ASSERT_EQ(enqueue("scale", second, {8}, {128}, 0, y, 2, 0, count), CUDA_SUCCESS);
    ASSERT_EQ(cuEventRecord(join, second).status, CUDA_SUCCESS);
    ASSERT_EQ(cuStreamWaitEvent(first, join, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(enqueue("combine", first, {8}, {128}, 0, x, y, out, count), CUDA_SUCCESS);
    const auto [status, graph] = cuStreamEndCapture(first);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(download<int>(x, 1)[0], 1);
    const CUgraphExec executable = cuGraphInstantiateWithFlags(graph, 0).value;
    int expected_x = 1, expected_y = 1;
    for (int round = 0; round < 4; ++round) {
        ASSERT_EQ(cuGraphLaunch(executable, first).status, CUDA_SUCCESS);
        ASSERT_EQ(cuStreamSynchronize(first).status, CUDA_SUCCESS) << problem();
        expected_x = 3 * expected_x + 1;
        expected_y *= 2;
        EXPECT_EQ(download<int>(out, count), std::vector<int>(count, expected_x - expected_y));
    }
}

TEST_P(StreamKernelsTest, UpdatesMemoryFromSeveralStreams) {
    const CUdeviceptr x = zeros<unsigned>(2);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(enqueue("mix", create_stream(), {6}, {50}, 0, x), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << problem();
    unsigned mixed = 0;
    for (unsigned i = 0; i < 300; ++i) mixed ^= i * 2654435761u;
    EXPECT_EQ(download<unsigned>(x, 2), (std::vector<unsigned>{3 * 299 * 150, mixed}));
}

INSTANTIATE_TEST_SUITE_P(Kernels, StreamKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
