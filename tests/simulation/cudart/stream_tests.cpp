// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

TEST(CudartStreamTest, ReturnsWhatItWasCreatedWith) {
    const auto [range_status, least, greatest] = cudaDeviceGetStreamPriorityRange();
    EXPECT_EQ(range_status, cudaSuccess);
    EXPECT_LE(greatest, least);
    const auto [status, stream] = cudaStreamCreateWithPriority(cudaStreamNonBlocking, greatest);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaStreamGetFlags(stream).value, static_cast<unsigned>(cudaStreamNonBlocking));
    EXPECT_EQ(cudaStreamGetPriority(stream).value, greatest);
    EXPECT_EQ(cudaStreamGetDevice(stream).value, 0);
    EXPECT_NE(cudaStreamGetId(stream).value, cudaStreamGetId(nullptr).value);
    EXPECT_EQ(cudaStreamQuery(stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(77).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamDestroy(nullptr).status, cudaErrorInvalidResourceHandle);
}

TEST(CudartStreamTest, RunsHostFunctions) {
    std::atomic<int> calls = 0;
    const auto stream = cudaStreamCreate().value;
    const auto add = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
    EXPECT_EQ(cudaLaunchHostFunc(stream, add, &calls).status, cudaSuccess);
    const auto add_status = [](cudaStream_t, cudaError_t status, void* data) {
        *static_cast<std::atomic<int>*>(data) += status == cudaSuccess ? 10 : 1000;
    };
    EXPECT_EQ(cudaStreamAddCallback(stream, add_status, &calls, 0).status, cudaSuccess);
    EXPECT_EQ(cudaStreamAddCallback(stream, add_status, &calls, 1).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamSynchronize(stream).status, cudaSuccess);
    EXPECT_EQ(calls, 11);
}

TEST(CudartStreamTest, OrdersWorkByEvents) {
    const auto event = cudaEventCreate().value;
    const auto untimed = cudaEventCreateWithFlags(cudaEventDisableTiming).value;
    const auto stream = cudaStreamCreate().value;
    EXPECT_EQ(cudaEventQuery(event).status, cudaSuccess) << "never recorded";
    EXPECT_EQ(cudaEventRecord(event, stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 0).status, cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(event).status, cudaSuccess);
    const auto end = cudaEventCreate().value;
    EXPECT_EQ(cudaEventRecord(end, stream).status, cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(end).status, cudaSuccess);
    EXPECT_GE(cudaEventElapsedTime(event, end).value, 0);
    EXPECT_EQ(cudaEventRecord(untimed, stream).status, cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(untimed).status, cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(event, untimed).status, cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventDestroy(event).status, cudaSuccess);
    EXPECT_EQ(cudaEventCreateWithFlags(0x100).status, cudaErrorInvalidValue);
}

TEST(CudartStreamTest, StoresNotReadyAsTheLastError) {
    struct Gate {
        std::atomic<bool> is_open = false;
        std::atomic<bool> is_running = false;
    } gate;
    const auto stream = cudaStreamCreate().value;
    const auto wait = [](void* data) {
        auto& opened = *static_cast<Gate*>(data);
        opened.is_running = true;
        while (!opened.is_open) std::this_thread::yield();
    };
    EXPECT_EQ(cudaLaunchHostFunc(stream, wait, &gate).status, cudaSuccess);
    while (!gate.is_running) std::this_thread::yield();
    EXPECT_EQ(cudaStreamQuery(stream).status, cudaErrorNotReady);
    EXPECT_EQ(cudaGetLastError().status, cudaErrorNotReady);
    gate.is_open = true;
    EXPECT_EQ(cudaStreamSynchronize(stream).status, cudaSuccess);
}

TEST(CudartStreamTest, SetsAttributes) {
    const auto stream = cudaStreamCreate().value;
    const auto other = cudaStreamCreate().value;
    cudaLaunchAttributeValue value{};
    value.syncPolicy = cudaSyncPolicyYield;
    EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value).status, cudaSuccess);
    EXPECT_EQ(cudaStreamCopyAttributes(other, stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy).value.syncPolicy, cudaSyncPolicyYield);
}

}  // namespace
}  // namespace cubind::testing
