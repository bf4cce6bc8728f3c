// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

/// A second context represents a second process.
class SimIpcTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        memory = allocate(1000);
        other = cuCtxCreate_v2(0, 1).value;
        ASSERT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
    }
    void make_current(CUcontext target) { ASSERT_EQ(cuCtxSetCurrent(target).status, CUDA_SUCCESS); }
    static auto open(const CUipcMemHandle& handle) { return cuIpcOpenMemHandle(handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS); }

    CUdeviceptr memory = 0;
    CUcontext other = nullptr;
};

TEST_F(SimIpcTest, OpensMemoryInAnotherContext) {
    const CUipcMemHandle handle = cuIpcGetMemHandle(memory + 512).value;
    EXPECT_EQ(open(handle).status, CUDA_ERROR_INVALID_CONTEXT) << "this context owns the memory";
    EXPECT_EQ(cuIpcOpenMemHandle(handle, 9).status, CUDA_ERROR_INVALID_CONTEXT) << "with an unknown flag, too";
    EXPECT_EQ(cuIpcOpenMemHandle(handle, 8).status, CUDA_ERROR_INVALID_VALUE);
    make_current(other);
    auto [status, opened] = open(handle);
    EXPECT_EQ(status, CUDA_SUCCESS);
    const int in = 42;
    EXPECT_EQ(cuMemcpyHtoD(opened, &in, sizeof in).status, CUDA_SUCCESS);
    EXPECT_EQ(open(handle).value, opened) << "the same address again";
    EXPECT_EQ(cuIpcCloseMemHandle(opened).status, CUDA_SUCCESS);
    EXPECT_EQ(cuIpcCloseMemHandle(opened).status, CUDA_SUCCESS);
    EXPECT_EQ(cuIpcCloseMemHandle(opened).status, CUDA_ERROR_INVALID_VALUE);
    make_current(context);
    int out = 0;
    EXPECT_EQ(cuMemcpyDtoH(&out, memory, sizeof out).status, CUDA_SUCCESS);
    EXPECT_EQ(out, in);
}

TEST_F(SimIpcTest, RejectsMemoryThatCannotBeShared) {
    EXPECT_EQ(cuIpcGetMemHandle(4096).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcGetMemHandle(cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcGetMemHandle(reinterpret_cast<CUdeviceptr>(cuMemHostAlloc(64, 0).value)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcGetMemHandle(cuMemAllocAsync(64, nullptr).value).status, CUDA_ERROR_INVALID_VALUE) << "memory of a pool";
    const CUipcMemHandle handle = cuIpcGetMemHandle(memory).value;
    make_current(other);
    EXPECT_EQ(cuIpcOpenMemHandle(handle, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(open({}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcCloseMemHandle(memory).status, CUDA_ERROR_INVALID_VALUE) << "not an opened handle";
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(open(handle).status, CUDA_ERROR_INVALID_VALUE) << "after it was freed";
}

TEST_F(SimIpcTest, SharesEvents) {
    const CUevent owned_event = create_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    const CUipcEventHandle handle = cuIpcGetEventHandle(owned_event).value;
    EXPECT_EQ(cuIpcOpenEventHandle(handle).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuIpcGetEventHandle(create_event()).status, CUDA_ERROR_INVALID_HANDLE) << "not created with CU_EVENT_INTERPROCESS";
    EXPECT_EQ(cuIpcGetEventHandle(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    const CUstream stream = create_stream();
    make_current(other);
    auto [status, opened_event] = cuIpcOpenEventHandle(handle);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_NE(opened_event, owned_event);
    EXPECT_EQ(cuIpcOpenEventHandle({}).status, CUDA_ERROR_MAP_FAILED);
    {
        Gate gate(stream);
        EXPECT_EQ(cuEventRecord(owned_event, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventQuery(opened_event).status, CUDA_ERROR_NOT_READY);
    }
    EXPECT_EQ(cuEventQuery(opened_event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventDestroy(opened_event).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(owned_event).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
