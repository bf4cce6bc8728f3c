// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

cudaExecutionContext_t create(unsigned multiprocessors) {
    const cudaDevResource all = cudaDeviceGetDevResource(0, cudaDevResourceTypeSm).value;
    cudaDevResource group{};
    EXPECT_EQ(cudaDevSmResourceSplitByCount(&group, 1, &all, 0, multiprocessors).status, cudaSuccess);
    const auto description = cudaDevResourceGenerateDesc(&group, 1);
    EXPECT_EQ(description.status, cudaSuccess);
    const auto created = cudaGreenCtxCreate(description.value, 0, 0);
    EXPECT_EQ(created.status, cudaSuccess);
    return created.value;
}

TEST(CudartExecutionContextTest, ReturnsThePrimaryContext) {
    const auto [status, context] = cudaDeviceGetExecutionCtx(0);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaExecutionCtxGetDevice(context).value, 0);
    EXPECT_EQ(cudaExecutionCtxSynchronize(context).status, cudaSuccess);
    EXPECT_EQ(cudaExecutionCtxDestroy(context).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceGetExecutionCtx(1000).status, cudaErrorInvalidDevice);
}

TEST(CudartExecutionContextTest, RunsStreamsOfAGreenContext) {
    const cudaExecutionContext_t context = create(16);
    const auto [status, stream] = cudaExecutionCtxStreamCreate(context, cudaStreamNonBlocking, 0);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaStreamGetDevResource(stream, cudaDevResourceTypeSm).value.sm.smCount, 16u);
    EXPECT_EQ(cudaExecutionCtxGetDevResource(context, cudaDevResourceTypeSm).value.sm.smCount, 16u);
    void* const memory = allocate(16);
    EXPECT_EQ(cudaMemsetAsync(memory, 1, 16, stream).status, cudaSuccess);
    EXPECT_EQ(cudaExecutionCtxSynchronize(context).status, cudaSuccess);
    EXPECT_EQ(read<unsigned char>(memory, 16), std::vector<unsigned char>(16, 1));
    EXPECT_EQ(cudaStreamDestroy(stream).status, cudaSuccess);
    EXPECT_EQ(cudaExecutionCtxDestroy(context).status, cudaSuccess);
}

TEST(CudartExecutionContextTest, RecordsAndAwaitsEvents) {
    const cudaEvent_t event = cudaEventCreate().value;
    for (const cudaExecutionContext_t context : {cudaDeviceGetExecutionCtx(0).value, create(16)}) {
        EXPECT_EQ(cudaExecutionCtxRecordEvent(context, event).status, cudaSuccess);
        EXPECT_EQ(cudaExecutionCtxWaitEvent(context, event).status, cudaSuccess);
        EXPECT_EQ(cudaEventSynchronize(event).status, cudaSuccess);
    }
}

TEST(CudartExecutionContextTest, RejectsNullAndUnknownFlags) {
    EXPECT_EQ(cudaExecutionCtxSynchronize(nullptr).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaExecutionCtxStreamCreate(cudaDeviceGetExecutionCtx(0).value, 99, 0).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaGreenCtxCreate(nullptr, 0, 99).status, cudaErrorInvalidValue);
}

}  // namespace
}  // namespace cubind::testing
