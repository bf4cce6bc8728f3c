// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that launch kernels.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* device_launch_source = R"(
extern "C" {
// Sorts by partition: each half is sorted by a child.
__global__ void quicksort(int* values, int left, int right) {
    int low = left, high = right;
    const int pivot = values[(left + right) / 2];
    while (low <= high) {
        while (values[low] < pivot) ++low;
        while (values[high] > pivot) --high;
        if (low <= high) {
            const int value = values[low];
            values[low++] = values[high];
            values[high--] = value;
        }
    }
    if (left < high) quicksort<<<1, 1>>>(values, left, high);
    if (low < right) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(values, low, right);
}

// Each launch takes the place of the one before.
__global__ void count_down(int* counts, int left) {
    atomicAdd(counts, 1);
    if (blockIdx.x == 0 && threadIdx.x == 0 && left > 0)
        count_down<<<gridDim, blockDim, 0, cudaStreamTailLaunch>>>(counts + 1, left - 1);
}

__global__ void add(int* sum, int value) { atomicAdd(sum, value); }
__global__ void scale(int* values, int factor) { values[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }
__global__ void append(int* list, int value) { list[atomicAdd(list, 1) + 1] = value; }

// Each block launches a child over its part of the array, twice in order.
__global__ void launch_in_blocks(int* values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x != 0) return;
    int* const own = values + blockIdx.x * blockDim.x;
    add<<<1, 1>>>(own, 7);
    scale<<<2, blockDim.x / 2>>>(own, 3);
    add<<<1, 1>>>(own, 1);
}

__global__ void launch_in_threads(int* sum) {
    add<<<2, 32, 0, cudaStreamFireAndForget>>>(sum, threadIdx.x);
}

// The order of streams: tail launches are last, in order; the default stream of a block and named streams have an order.
__global__ void order(int* lists) {
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(lists, 3);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(lists, 4);
    append<<<1, 1>>>(lists, 1);
    append<<<1, 1>>>(lists, 2);
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    int* const other = lists + 16;
    for (int i = 0; i < 4; ++i) append<<<1, 1, 0, first>>>(other, i);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    for (int i = 4; i < 8; ++i) append<<<1, 1, 0, second>>>(other, i);
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    lists[32] = cudaGetLastError();
}

__global__ void launch_many(int* results, int launches) {
    int errors = 0;
    for (int i = 0; i < launches; ++i) {
        add<<<1, 1, 0, cudaStreamTailLaunch>>>(results, 1);
        if (cudaPeekAtLastError() != cudaSuccess) {
            results[2] = cudaGetLastError();
            ++errors;
        }
    }
    results[1] = errors;
    results[3] = cudaGetLastError();
}

__global__ void launch_without_end(int* results, int launches) {
    for (int i = 0; i < launches; ++i) add<<<1, 1>>>(results, 1);
    results[1] = cudaGetLastError();
}

__global__ void fail_to_launch(int* results, cudaStream_t foreign) {
    add<<<1, 2048>>>(results, 1);
    results[1] = cudaGetLastError();
    add<<<0, 1>>>(results, 1);
    results[2] = cudaGetLastError();
    add<<<1, 1, 1 << 20>>>(results, 1);
    results[3] = cudaGetLastError();
    cudaStream_t stream;
    results[4] = cudaStreamCreateWithFlags(&stream, 77);
    results[5] = cudaPeekAtLastError();
    results[6] = cudaGetLastError();
    results[7] = cudaGetLastError();
    results[8] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    cudaEvent_t event;
    results[9] = cudaEventCreateWithFlags(&event, cudaEventDefault);
    results[10] = cudaMemcpyAsync(results + 11, results, 4, cudaMemcpyHostToHost, 0);
}

__global__ void use_runtime(int* results) {
    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0);
    results[0] = value;
    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
    results[1] = (int)limit;
    int* allocated = nullptr;
    results[2] = cudaMalloc((void**)&allocated, 64);
    allocated[15] = 5;
    results[3] = allocated[15];
    results[4] = cudaFree(allocated);
    const char* const name = cudaGetErrorName(cudaErrorInvalidValue);
    for (int i = 0; i < 8; ++i) results[5 + i] = name[i];
    cudaGetDevice(&value);
    results[13] = value;
}

__global__ void fill_and_copy(int* memory) {
    cudaMemsetAsync(memory, 1, 8, 0);
    cudaMemcpyAsync(memory + 4, memory, 8, cudaMemcpyDeviceToDevice, 0);
}

__global__ void store(int* out) { out[threadIdx.x] = 1; }
__global__ void launch_fault(int* out) { store<<<1, 64>>>(out); }

__device__ int ready = 0;
__global__ void set_ready() { atomicExch(&ready, 1); }
__global__ void wait_for_child(int* out) {
    set_ready<<<1, 1>>>();
    while (atomicAdd(&ready, 0) == 0) {
    }
    out[0] = 9;
}
__global__ void stuck() {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;"); else asm volatile("bar.sync 2, 64;");
}
__global__ void launch_stuck() { stuck<<<1, 64>>>(); }
}
)";

class DeviceLaunchTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load_with_device_runtime(device_launch_source);
    }
};

TEST_P(DeviceLaunchTest, SortsRecursively) {
    std::vector<int> values = random_integers<int>(300, -1000, 1000);
    const CUdeviceptr memory = upload(values);
    run("quicksort", {1}, {1}, memory, 0, 299);
    std::ranges::sort(values);
    EXPECT_EQ(download<int>(memory, values.size()), values);
}

TEST_P(DeviceLaunchTest, RunsAChainOfTailLaunches) {
    constexpr int length = 200;
    const CUdeviceptr counts = zeros<int>(length + 1);
    run("count_down", {3}, {32}, counts, length);
    EXPECT_EQ(download<int>(counts, length + 1), std::vector<int>(length + 1, 96));
}

TEST_P(DeviceLaunchTest, RunsTheLaunchesOfABlockInOrder) {
    constexpr int blocks = 20, threads = 64;
    const CUdeviceptr values = zeros<int>(blocks * threads);
    run("launch_in_blocks", {blocks}, {threads}, values);
    const std::vector<int> results = download<int>(values, blocks * threads);
    for (int i = 0; i < blocks * threads; ++i) {
        const int thread = i % threads;
        ASSERT_EQ(results[static_cast<std::size_t>(i)], thread == 0 ? 7 * 3 + 1 : thread * 3) << i;
    }
}

TEST_P(DeviceLaunchTest, CompletesFireAndForgetLaunchesWithTheParent) {
    const CUdeviceptr sum = zeros<int>(1);
    run("launch_in_threads", {4}, {128}, sum);
    EXPECT_EQ(download<int>(sum, 1)[0], 4 * 64 * (127 * 128 / 2));
}

TEST_P(DeviceLaunchTest, KeepsTheOrderOfStreams) {
    const CUdeviceptr lists = zeros<int>(33);
    run("order", {1}, {1}, lists);
    const std::vector<int> all = download<int>(lists, 33);
    EXPECT_EQ(std::vector<int>(all.begin(), all.begin() + 5), (std::vector<int>{4, 1, 2, 3, 4}));
    EXPECT_EQ(std::vector<int>(all.begin() + 16, all.begin() + 25), (std::vector<int>{8, 0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(all[32], 0);
}

TEST_P(DeviceLaunchTest, LimitsPendingLaunches) {
    ASSERT_EQ(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 100).status, CUDA_SUCCESS);
    const CUdeviceptr results = zeros<int>(4);
    run("launch_many", {1}, {1}, results, 130);
    constexpr int pending_count_exceeded = 69;
    EXPECT_EQ(download<int>(results, 4), (std::vector<int>{100, 30, pending_count_exceeded, 0}));
    // Launches that have begun are not pending.
    const CUdeviceptr others = zeros<int>(2);
    run("launch_without_end", {1}, {1}, others, 1000);
    EXPECT_EQ(download<int>(others, 2), (std::vector<int>{1000, 0}));
}

TEST_P(DeviceLaunchTest, ReturnsErrorsToTheThread) {
    const CUdeviceptr results = zeros<int>(12);
    run("fail_to_launch", {1}, {1}, results, CUdeviceptr{0});
    constexpr int value = 1, configuration = 9, direction = 21;
    EXPECT_EQ(download<int>(results, 12),
              (std::vector<int>{0, configuration, configuration, configuration, value, value, value, 0, 0, value, direction, 0}));
}

TEST_P(DeviceLaunchTest, ProvidesTheRuntime) {
    const CUdeviceptr results = zeros<int>(14);
    run("use_runtime", {1}, {1}, results);
    const std::string name = "cudaErro";
    std::vector<int> expected{32, 2048, 0, 5, 0};
    expected.insert(expected.end(), name.begin(), name.end());
    expected.push_back(0);
    EXPECT_EQ(download<int>(results, 14), expected);
}

TEST_P(DeviceLaunchTest, FillsAndCopiesMemory) {
    const CUdeviceptr memory = zeros<int>(6);
    run("fill_and_copy", {1}, {1}, memory);
    constexpr int filled = 0x01010101;
    EXPECT_EQ(download<int>(memory, 6), (std::vector<int>{filled, filled, 0, 0, filled, filled}));
}

TEST_P(DeviceLaunchTest, LetsAParentWaitForItsChild) {
    const CUdeviceptr out = zeros<int>(1);
    run("wait_for_child", {1}, {1}, out);
    EXPECT_EQ(download<int>(out, 1)[0], 9);
}

TEST_P(DeviceLaunchTest, ReportsTheFaultOfAChild) {
    const CUdeviceptr out = zeros<int>(32);
    EXPECT_EQ(launch("launch_fault", {1}, {1}, 0, out), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("of kernel store, block (0, 0, 0), thread (32, 0, 0)"));
    EXPECT_EQ(sim::launches().back().name, "launch_fault");
}

TEST_P(DeviceLaunchTest, ReportsTheDeadlockOfAChild) {
    EXPECT_EQ(launch("launch_stuck", {1}, {1}, 0), CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(problem(), HasSubstr("of kernel stuck"));
}

TEST_P(DeviceLaunchTest, RunsTheBodyOfAChild) {
    sim::define_kernel("add", [](const sim::Launch&, int* sum, int value) { *sum += 1000 * value; });
    const CUdeviceptr others = zeros<int>(2);
    run("launch_without_end", {1}, {1}, others, 3);
    EXPECT_EQ(download<int>(others, 2), (std::vector<int>{3000, 0}));
}

TEST_P(DeviceLaunchTest, NeedsTheLibraryOfTheRuntime) {
    EXPECT_EQ(cuModuleLoadData(ptx.c_str()).status, CUDA_ERROR_INVALID_PTX);
    const CUlinkState link = cuLinkCreate(0, nullptr, nullptr).value;
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, ptx.data(), ptx.size() + 1, "k", 0, nullptr, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(cuLinkDestroy(link).status, CUDA_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Kernels, DeviceLaunchTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
