// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using SimEventTest = SimTest;

TEST_F(SimEventTest, CompletesInStreamOrder) {
    const CUstream stream = create_stream();
    const CUevent event = create_event();
    EXPECT_EQ(cuEventQuery(event).status, CUDA_SUCCESS) << "not recorded";
    Gate gate(stream);
    EXPECT_EQ(cuEventRecord(event, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(event).status, CUDA_ERROR_NOT_READY);
    gate.open();
    EXPECT_EQ(cuEventSynchronize(event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(event).status, CUDA_SUCCESS);
}

TEST_F(SimEventTest, BlocksAnotherStream) {
    const CUstream first = create_stream();
    const CUstream second = create_stream();
    const CUevent event = create_event();
    const CUdeviceptr memory = allocate(4);
    {
        Gate gate(first);
        EXPECT_EQ(cuMemsetD32Async(memory, 1, 1, first).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventRecord(event, first).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamWaitEvent(second, event, 0).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemsetD32Async(memory, 2, 1, second).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventDestroy(event).status, CUDA_SUCCESS) << "waits that are already enqueued still complete";
        EXPECT_EQ(cuStreamQuery(second).status, CUDA_ERROR_NOT_READY);
    }
    EXPECT_EQ(cuStreamSynchronize(second).status, CUDA_SUCCESS);
    int found = 0;
    EXPECT_EQ(cuMemcpyDtoH(&found, memory, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 2);
}

TEST_F(SimEventTest, MeasuresElapsedTime) {
    const CUstream stream = create_stream();
    const CUevent start = create_event();
    const CUevent end = create_event();
    EXPECT_EQ(cuEventElapsedTime(start, end).status, CUDA_ERROR_INVALID_HANDLE) << "not recorded";
    EXPECT_EQ(cuEventRecord(start, stream).status, CUDA_SUCCESS);
    const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    EXPECT_EQ(cuLaunchHostFunc(stream, sleep, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(end, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventElapsedTime(start, end).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_GE(cuEventElapsedTime(start, end).value, 20.0f);
    const CUevent untimed = create_event(CU_EVENT_DISABLE_TIMING);
    EXPECT_EQ(cuEventRecord(untimed, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventElapsedTime(start, untimed).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimEventTest, RejectsInvalidArguments) {
    EXPECT_EQ(cuEventCreate(8).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuEventCreate(CU_EVENT_INTERPROCESS).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuEventQuery(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    const CUevent event = create_event();
    EXPECT_EQ(cuEventRecord(event, reinterpret_cast<CUstream>(0x1234)).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuStreamWaitEvent(nullptr, event, 4).status, CUDA_ERROR_INVALID_VALUE);
    const CUcontext other = cuCtxCreate_v2(0, 1).value;
    EXPECT_NE(other, context);
    EXPECT_EQ(cuEventRecord(event, nullptr).status, CUDA_ERROR_INVALID_HANDLE) << "a stream of another context";
    EXPECT_EQ(cuEventDestroy(event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventDestroy(event).status, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace cubind::testing
