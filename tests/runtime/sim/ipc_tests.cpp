// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

/// A second context stands for a second process.
class SimIpc : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        memory = allocate(1000);
        other = cuCtxCreate_v2(0, 1).value;
        ASSERT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
    }
    void change_to(CUcontext which) { ASSERT_EQ(cuCtxSetCurrent(which).status, CUDA_SUCCESS); }
    static auto open(const CUipcMemHandle& handle) { return cuIpcOpenMemHandle(handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS); }

    CUdeviceptr memory = 0;
    CUcontext other = nullptr;
};

TEST_F(SimIpc, MemoryIsOpenedElsewhere) {
    const CUipcMemHandle handle = cuIpcGetMemHandle(memory + 512).value;
    EXPECT_EQ(open(handle).status, CUDA_ERROR_INVALID_CONTEXT) << "it is the owner";
    change_to(other);
    auto [status, opened] = open(handle);
    EXPECT_EQ(status, CUDA_SUCCESS);
    const int in = 42;
    EXPECT_EQ(cuMemcpyHtoD(opened, &in, sizeof in).status, CUDA_SUCCESS);
    EXPECT_EQ(open(handle).value, opened) << "as often as wanted";
    EXPECT_EQ(cuIpcCloseMemHandle(opened).status, CUDA_SUCCESS);
    EXPECT_EQ(cuIpcCloseMemHandle(opened).status, CUDA_SUCCESS);
    EXPECT_EQ(cuIpcCloseMemHandle(opened).status, CUDA_ERROR_INVALID_VALUE);
    change_to(context);
    int out = 0;
    EXPECT_EQ(cuMemcpyDtoH(&out, memory, sizeof out).status, CUDA_SUCCESS);
    EXPECT_EQ(out, in);
}

TEST_F(SimIpc, WrongMemoryGivesAStatus) {
    EXPECT_EQ(cuIpcGetMemHandle(4096).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcGetMemHandle(cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcGetMemHandle(reinterpret_cast<CUdeviceptr>(cuMemHostAlloc(64, 0).value)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcGetMemHandle(cuMemAllocAsync(64, nullptr).value).status, CUDA_ERROR_INVALID_VALUE) << "of a pool";
    const CUipcMemHandle handle = cuIpcGetMemHandle(memory).value;
    change_to(other);
    EXPECT_EQ(cuIpcOpenMemHandle(handle, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(open({}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuIpcCloseMemHandle(memory).status, CUDA_ERROR_INVALID_VALUE) << "it was not opened";
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(open(handle).status, CUDA_ERROR_INVALID_VALUE) << "freed";
}

TEST_F(SimIpc, EventsAreShared) {
    const CUevent mine = event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    const CUipcEventHandle handle = cuIpcGetEventHandle(mine).value;
    EXPECT_EQ(cuIpcOpenEventHandle(handle).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuIpcGetEventHandle(event()).status, CUDA_ERROR_INVALID_HANDLE) << "not meant to be shared";
    EXPECT_EQ(cuIpcGetEventHandle(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    const CUstream stream = this->stream();
    change_to(other);
    auto [status, theirs] = cuIpcOpenEventHandle(handle);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_NE(theirs, mine);
    EXPECT_EQ(cuIpcOpenEventHandle({}).status, CUDA_ERROR_MAP_FAILED);
    {
        Gate gate(stream);
        EXPECT_EQ(cuEventRecord(mine, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventQuery(theirs).status, CUDA_ERROR_NOT_READY);
    }
    EXPECT_EQ(cuEventQuery(theirs).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventDestroy(theirs).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(mine).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
