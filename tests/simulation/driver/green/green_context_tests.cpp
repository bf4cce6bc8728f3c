// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimGreenContextTest : public SimTest {
protected:
    static CUdevResource all(CUdevice device = 0) { return cuDeviceGetDevResource(device, CU_DEV_RESOURCE_TYPE_SM).value; }
    static CUgreenCtx create(CUdevResource resource, CUdevice device = 0) {
        const auto description = cuDevResourceGenerateDesc(&resource, 1);
        EXPECT_EQ(description.status, CUDA_SUCCESS);
        const auto created = cuGreenCtxCreate(description.value, device, CU_GREEN_CTX_DEFAULT_STREAM);
        EXPECT_EQ(created.status, CUDA_SUCCESS);
        return created.value;
    }
    static CUstream stream_in(CUgreenCtx green) {
        const auto created = cuGreenCtxStreamCreate(green, CU_STREAM_NON_BLOCKING, 0);
        EXPECT_EQ(created.status, CUDA_SUCCESS);
        return created.value;
    }
};

TEST_F(SimGreenContextTest, SplitsByCount) {
    const CUdevResource input = all();
    EXPECT_EQ(cuDevSmResourceSplitByCount(nullptr, 0, &input, 0, 20).value1, 5u);
    std::array<CUdevResource, 4> groups{};
    const auto split = cuDevSmResourceSplitByCount(groups.data(), 4, &input, 0, 60);
    EXPECT_EQ(split.status, CUDA_SUCCESS);
    EXPECT_EQ(split.value1, 2u);
    EXPECT_EQ(groups[1].sm.smCount, 64u);
    EXPECT_EQ(groups[2].type, CU_DEV_RESOURCE_TYPE_INVALID);
    EXPECT_EQ(split.value2.sm.smCount, 4u);
}

TEST_F(SimGreenContextTest, SplitsLikeAnH200) {
    const CUdevResource input = all();
    const auto groups_that_fit = [&](unsigned size, unsigned flags) {
        return cuDevSmResourceSplitByCount(nullptr, 0, &input, flags, size).value1;
    };
    EXPECT_EQ(groups_that_fit(8, 0), 15u);
    EXPECT_EQ(groups_that_fit(16, 0), 8u);
    EXPECT_EQ(groups_that_fit(64, 0), 2u);
    EXPECT_EQ(groups_that_fit(129, 0), 1u);
    EXPECT_EQ(groups_that_fit(8, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING), 16u);
    EXPECT_EQ(groups_that_fit(1, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING), 66u);
    EXPECT_EQ(groups_that_fit(8, 4), 15u) << "the flag is unknown";
    std::array<CUdevResource, 1> group{};
    const auto split = cuDevSmResourceSplitByCount(group.data(), 1, &input, 0, 129);
    EXPECT_EQ(group[0].sm.smCount, 132u);
    EXPECT_EQ(split.value2.type, CU_DEV_RESOURCE_TYPE_INVALID);
}

TEST_F(SimGreenContextTest, RefusesSplitsThatItCannotMake) {
    const CUdevResource input = all();
    std::array<CUdevResource, 1> group{};
    EXPECT_EQ(cuDevSmResourceSplitByCount(group.data(), 1, &input, 0, 133).status, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
    EXPECT_EQ(cuDevSmResourceSplitByCount(group.data(), 1, &input, 3, 8).status, CUDA_ERROR_INVALID_VALUE);
    CUdevResource changed = input;
    changed.sm.smCount = 64;
    EXPECT_EQ(cuDevSmResourceSplitByCount(group.data(), 1, &changed, 0, 8).status, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
    EXPECT_EQ(cuDevResourceGenerateDesc(&changed, 1).status, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
    EXPECT_EQ(cuDevSmResourceSplitByCount(group.data(), 0, &input, 0, 8).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDevSmResourceSplitByCount(group.data(), 1, nullptr, 0, 8).status, CUDA_ERROR_INVALID_VALUE);
    const CUdevResource queues = cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG).value;
    EXPECT_EQ(cuDevSmResourceSplitByCount(group.data(), 1, &queues, 0, 8).status, CUDA_ERROR_INVALID_RESOURCE_TYPE);
    ASSERT_EQ(cuDevSmResourceSplitByCount(group.data(), 1, &input, 0, 64).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevSmResourceSplitByCount(nullptr, 0, group.data(), 0, 8).status, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
}

TEST_F(SimGreenContextTest, RefusesResourcesThatDoNotBelongTogether) {
    std::array<CUdevResource, 2> devices{all(0), all(1)};
    EXPECT_EQ(cuDevResourceGenerateDesc(devices.data(), 2).status, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
    EXPECT_EQ(cuDevResourceGenerateDesc(devices.data(), 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDevResourceGenerateDesc(nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    CUdevResource none{};
    EXPECT_EQ(cuDevResourceGenerateDesc(&none, 1).status, CUDA_ERROR_INVALID_RESOURCE_TYPE);
    const CUdevResourceDesc description = cuDevResourceGenerateDesc(devices.data(), 1).value;
    EXPECT_EQ(cuGreenCtxCreate(description, 1, CU_GREEN_CTX_DEFAULT_STREAM).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuGreenCtxCreate(description, 0, 2).status, CUDA_ERROR_INVALID_VALUE);
    int other = 0;
    EXPECT_EQ(cuGreenCtxCreate(reinterpret_cast<CUdevResourceDesc>(&other), 0, CU_GREEN_CTX_DEFAULT_STREAM).status,
              CUDA_ERROR_INVALID_VALUE);
    const CUgreenCtx green = cuGreenCtxCreate(nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM).value;
    EXPECT_EQ(cuGreenCtxGetDevResource(green, CU_DEV_RESOURCE_TYPE_SM).value.sm.smCount, 132u);
}

TEST_F(SimGreenContextTest, CombinesResourcesAsTheRelease) {
    const auto combined = [](CUdevResource first, CUdevResource second) {
        std::array<CUdevResource, 2> resources{first, second};
        const auto description = cuDevResourceGenerateDesc(resources.data(), 2);
        if (description.status != CUDA_SUCCESS) return 0u;
        const CUgreenCtx green = cuGreenCtxCreate(description.value, 0, CU_GREEN_CTX_DEFAULT_STREAM).value;
        const CUdevResource found = cuGreenCtxGetDevResource(green, CU_DEV_RESOURCE_TYPE_SM).value;
        return 1000 * found.sm.smCoscheduledAlignment + found.sm.smCount;
    };
    const auto ask = [&](const char* release) {
        sim::install({.release = release});
        EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
        const CUdevResource input = all();
        std::array<CUdevResource, 2> groups{};
        const auto split = cuDevSmResourceSplitByCount(groups.data(), 2, &input, 0, 16);
        return std::array{combined(groups[0], groups[1]), combined(groups[0], groups[0]), combined(input, groups[0]),
                          combined(split.value2, groups[0])};
    };
    EXPECT_EQ(ask("13.0"), (std::array{8032u, 8032u, 8132u, 2116u}));
    EXPECT_EQ(ask("13.1"), (std::array{8032u, 0u, 0u, 0u}));
}

TEST_F(SimGreenContextTest, RetainsThePrimaryContextAndActsAsIt) {
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 0);
    const CUgreenCtx green = create(all(1), 1);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 1);
    EXPECT_EQ(cuCtxGetCurrent().value, context);
    const CUcontext view = cuCtxFromGreenCtx(green).value;
    EXPECT_EQ(cuCtxPushCurrent(view).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetCurrent().value, view);
    const CUdeviceptr memory = allocate(16);
    CUcontext owner = nullptr;
    EXPECT_EQ(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory).status, CUDA_SUCCESS);
    EXPECT_EQ(owner, cuDevicePrimaryCtxRetain(1).value) << "the memory is that of the primary context";
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(view).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuGreenCtxDestroy(green).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc(16).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxPopCurrent().value, view);
    EXPECT_EQ(cuCtxSetCurrent(view).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuGreenCtxDestroy(green).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(1).value2, 0);
}

TEST_F(SimGreenContextTest, IsKnownAfterItsEndWhileThePrimaryContextExists) {
    const CUcontext primary = cuDevicePrimaryCtxRetain(0).value;
    const CUgreenCtx green = create(all());
    const CUcontext view = cuCtxFromGreenCtx(green).value;
    EXPECT_EQ(cuCtxGetId(view).value, cuGreenCtxGetId(green).value);
    EXPECT_NE(cuCtxGetId(view).value, cuCtxGetId(primary).value);
    EXPECT_EQ(cuGreenCtxDestroy(green).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGreenCtxDestroy(green).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxFromGreenCtx(green).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxGetApiVersion(view).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxGetDevResource(view, CU_DEV_RESOURCE_TYPE_SM).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxSetCurrent(view).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxSetCurrent(primary).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
}

TEST_F(SimGreenContextTest, KeepsItsStreamsApartFromThoseOfOtherContexts) {
    ASSERT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    const CUgreenCtx green = create(all());
    const CUstream plain = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    EXPECT_EQ(cuStreamCopyAttributes(plain, stream_in(green)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamCopyAttributes(stream_in(green), stream_in(green)).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(cuCtxFromGreenCtx(green).value).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamGetGreenCtx(CU_STREAM_LEGACY).value, green);
    EXPECT_EQ(cuStreamGetGreenCtx(CU_STREAM_PER_THREAD).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimGreenContextTest, DetachesItsStreamsWhenItEnds) {
    ASSERT_EQ(cuDevicePrimaryCtxRetain(0).status, CUDA_SUCCESS);  // otherwise the streams end with the primary context
    const CUgreenCtx green = create(all());
    const CUstream stream = stream_in(green);
    const auto [status, primary, found] = cuStreamGetCtx_v2(stream);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(found, green);
    EXPECT_NE(primary, cuStreamGetCtx(stream).value);
    EXPECT_EQ(cuGreenCtxStreamCreate(green, CU_STREAM_DEFAULT, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGreenCtxDestroy(green).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_STREAM_DETACHED);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimGreenContextTest, KeepsItsStreamsWhenItEndsBefore13_1) {
    sim::install({.release = "13.0"});
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    const CUgreenCtx green = create(all());
    const CUstream stream = stream_in(green);
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGreenCtxDestroy(green).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamEndCapture(stream).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

TEST_F(SimGreenContextTest, OrdersTheWorkOfAllItsStreamsByEvents) {
    ASSERT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    const CUgreenCtx first = create(all());
    const CUgreenCtx second = create(all());
    const CUstream blocked = stream_in(first);
    const CUstream waiting = stream_in(second);
    const CUevent event = create_event();
    Gate gate(blocked);
    EXPECT_EQ(cuGreenCtxRecordEvent(first, event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(event).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuGreenCtxWaitEvent(second, event).status, CUDA_SUCCESS);
    const CUstream later = stream_in(second);
    EXPECT_EQ(cuStreamQuery(waiting).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuStreamQuery(later).status, CUDA_ERROR_NOT_READY);
    gate.open();
    EXPECT_EQ(cuStreamSynchronize(later).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGreenCtxRecordEvent(first, nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuGreenCtxWaitEvent(first, nullptr).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimGreenContextTest, InvalidatesCapturesOfItsStreams) {
    ASSERT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    const CUgreenCtx green = create(all());
    const CUstream stream = stream_in(green);
    const CUevent event = create_event();
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGreenCtxRecordEvent(green, event).status, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuStreamEndCapture(stream).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuGreenCtxRecordEvent(green, event).status, CUDA_SUCCESS);
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
    ASSERT_EQ(cuEventRecord(event, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGreenCtxWaitEvent(create(all()), event).status, CUDA_ERROR_CAPTURED_EVENT);
    EXPECT_EQ(cuStreamEndCapture(stream).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

}  // namespace
}  // namespace cubind::testing
