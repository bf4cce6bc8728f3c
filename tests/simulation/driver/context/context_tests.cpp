// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <thread>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using SimContextTest = SimTest;

TEST_F(SimContextTest, HasOneStackPerThread) {
    EXPECT_EQ(cuCtxGetCurrent().value, context);
    std::thread([&] {
        EXPECT_EQ(cuCtxGetCurrent().value, nullptr);
        EXPECT_EQ(cuMemAlloc(16).status, CUDA_ERROR_INVALID_CONTEXT);
        EXPECT_EQ(cuMemFree(0).status, CUDA_SUCCESS);
        EXPECT_EQ(cuCtxPopCurrent().status, CUDA_ERROR_INVALID_CONTEXT);
        EXPECT_EQ(cuCtxPushCurrent(context).status, CUDA_SUCCESS);
        EXPECT_EQ(cuCtxGetDevice().value, 0);
        EXPECT_EQ(cuCtxPopCurrent().value, context);
    }).join();
    EXPECT_EQ(cuCtxGetCurrent().value, context);
}

TEST_F(SimContextTest, IsPushedByCreateAndPoppedByDestroy) {
    const CUcontext other = cuCtxCreate_v4(nullptr, CU_CTX_SCHED_YIELD, 1).value;
    EXPECT_EQ(cuCtxGetCurrent().value, other);
    EXPECT_EQ(cuCtxGetDevice().value, 1);
    EXPECT_EQ(cuCtxGetFlags().value, unsigned{CU_CTX_SCHED_YIELD} | CU_CTX_MAP_HOST);
    EXPECT_NE(cuCtxGetId(other).value, cuCtxGetId(context).value);
    EXPECT_EQ(cuCtxDestroy(other).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetCurrent().value, context);
    EXPECT_EQ(cuCtxDestroy(other).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxSetCurrent(other).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimContextTest, RemainsCurrentButUnusableWhenAnotherThreadDestroysIt) {
    const CUdeviceptr memory = allocate(64);
    std::thread([&] { EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS); }).join();
    EXPECT_EQ(cuMemAlloc(16).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxPopCurrent().status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_INVALID_VALUE) << "freed with its context";
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

TEST_F(SimContextTest, CountsReferencesToThePrimaryContextAcrossAReset) {
    const CUcontext primary = cuDevicePrimaryCtxRetain(1).value;
    EXPECT_EQ(cuCtxSetCurrent(primary).status, CUDA_SUCCESS);
    const CUdeviceptr memory = allocate(64);
    EXPECT_EQ(cuDevicePrimaryCtxReset(1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 0);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(1).value, primary);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS) << "one of two";
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 1);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 0);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
}

TEST_F(SimContextTest, AcceptsAtMostOneScheduleAndRoundsLimits) {
    EXPECT_EQ(cuCtxSetFlags(3).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDevicePrimaryCtxSetFlags(0, 7).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_STACK_SIZE).value, 16u);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, std::size_t{1} << 40).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxDestroy(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxPushCurrent(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimContextTest, CountsReferencesToThePrimaryContext) {
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuDevicePrimaryCtxSetFlags(1, CU_CTX_SCHED_SPIN).status, CUDA_SUCCESS);
    const CUcontext primary = cuDevicePrimaryCtxRetain(1).value;
    EXPECT_EQ(cuDevicePrimaryCtxRetain(1).value, primary);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value1, static_cast<unsigned>(CU_CTX_SCHED_SPIN));
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 1);
    EXPECT_EQ(cuCtxDestroy(primary).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxSetCurrent(primary).status, CUDA_SUCCESS);
    const CUdeviceptr memory = allocate(64);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(memory, 1, 64).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 0);
    EXPECT_EQ(cuMemAlloc(16).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(1).value, primary) << "a device always has the same primary context handle";
    EXPECT_EQ(cuMemFree(allocate(16)).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimContextTest, GetsAndSetsLimits) {
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_STACK_SIZE).value, 1024u);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_STACK_SIZE).value, 4096u);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH).status, CUDA_ERROR_UNSUPPORTED_LIMIT);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED).status, CUDA_ERROR_UNSUPPORTED_LIMIT);
    EXPECT_EQ(cuCtxGetLimit(static_cast<CUlimit>(99)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 128).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 129).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, std::size_t{1} << 40).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY).value, 128u);
}

TEST_F(SimContextTest, HasDefaultSettingsAfterAResetOfThePrimaryContext) {
    ASSERT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxReset(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_STACK_SIZE).value, 1024u);
    EXPECT_EQ(cuCtxGetCacheConfig().value, CU_FUNC_CACHE_PREFER_NONE);
}

TEST_F(SimContextTest, RecordsAnEventAfterTheWorkOfAllStreams) {
    const CUevent event = create_event();
    const CUstream stream = create_stream();
    Gate gate(stream);
    EXPECT_EQ(cuCtxRecordEvent(context, event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(event).status, CUDA_ERROR_NOT_READY);
    gate.open();
    EXPECT_EQ(cuEventSynchronize(event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxRecordEvent(nullptr, event).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxRecordEvent(context, nullptr).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimContextTest, LetsAllStreamsWaitForAnEvent) {
    const CUevent event = create_event();
    const CUstream stream = create_stream();
    const CUstream other = create_stream();
    Gate gate(stream);
    EXPECT_EQ(cuEventRecord(event, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxWaitEvent(context, event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(other).status, CUDA_ERROR_NOT_READY);
    gate.open();
    EXPECT_EQ(cuStreamSynchronize(other).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxWaitEvent(context, nullptr).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimContextTest, RefusesRecordsAndWaitsWhileAStreamIsCaptured) {
    const CUevent event = create_event();
    const CUstream stream = create_stream();
    for (const auto call : {cuCtxRecordEvent, cuCtxWaitEvent}) {
        ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
        EXPECT_EQ(call(context, event).status, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        EXPECT_EQ(cuStreamEndCapture(stream).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
}

TEST_F(SimContextTest, EnablesAndDisablesPeerAccessOnce) {
    const CUcontext peer = cuCtxCreate_v2(0, 1).value;
    EXPECT_EQ(cuDeviceCanAccessPeer(0, 1).value, 1);
    EXPECT_EQ(cuDeviceCanAccessPeer(0, 0).value, 0);
    EXPECT_EQ(cuCtxEnablePeerAccess(context, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxEnablePeerAccess(context, 0).status, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    EXPECT_EQ(cuCtxDisablePeerAccess(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDisablePeerAccess(context).status, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    EXPECT_EQ(cuCtxEnablePeerAccess(peer, 0).status, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED) << "itself";
    EXPECT_EQ(cuCtxEnablePeerAccess(nullptr, 0).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimContextTest, ReturnsTheAtomicOperationsOfOtherMemory) {
    CUatomicOperation operations[] = {CU_ATOMIC_OPERATION_INTEGER_ADD, CU_ATOMIC_OPERATION_CAS};
    unsigned capabilities[] = {77, 77};
    EXPECT_EQ(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(capabilities[1], 0u);
    capabilities[1] = 77;
    EXPECT_EQ(cuDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(capabilities[1], 0u);
    EXPECT_EQ(cuDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 0).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    operations[1] = static_cast<CUatomicOperation>(99);
    EXPECT_EQ(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
