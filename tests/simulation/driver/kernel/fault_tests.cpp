// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <stdexcept>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Faults of device code: the next call that waits reports them, and they persist.
class SimFaultTest : public KernelTest {
protected:
    CUresult run_empty() {
        EXPECT_EQ(launch(function("empty")), CUDA_SUCCESS);
        return cuCtxSynchronize().status;
    }
};

TEST_F(SimFaultTest, PersistsInTheContextAfterAnIllegalAddress) {
    const CUstream stream = create_stream();
    const CUevent event = create_event();
    float* const memory = reinterpret_cast<float*>(allocate(100 * sizeof(float)));
    sim::define_kernel("empty", [=](const sim::Launch& launch) {
        launch.memory(memory, 100)[99] = 1.0f;
        launch.memory(memory + 1, 100)[99] = 1.0f;
        FAIL() << "the illegal access must end the body";
    });
    const CUfunction empty = function("empty");
    EXPECT_EQ(launch(empty, nullptr, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_ILLEGAL_ADDRESS);
    constexpr CUresult fault = CUDA_ERROR_ILLEGAL_ADDRESS;
    EXPECT_EQ(cuCtxSynchronize().status, fault);
    EXPECT_EQ(cuMemAlloc(4).status, fault);
    EXPECT_EQ(cuEventQuery(event).status, fault);
    EXPECT_EQ(cuStreamQuery(stream).status, fault);
    EXPECT_EQ(cuStreamCreate(0).status, fault);
    EXPECT_EQ(cuModuleGetFunction(module, "empty").status, fault);
    EXPECT_EQ(cuModuleUnload(module).status, fault);
    EXPECT_EQ(cuCtxCreate_v2(0, 0).status, fault);
    EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, empty).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuCtxGetFlags().status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetLimit(CU_LIMIT_STACK_SIZE).status, fault);
    EXPECT_EQ(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxCreate_v2(0, 1).status, fault) << "the other device is lost, too";
    const std::vector<sim::Launch> launches = sim::launches();
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].status, fault);
    EXPECT_THAT(launches[0].problem, AllOf(HasSubstr("100"), HasSubstr("4 bytes")));
}

TEST_F(SimFaultTest, PersistsWhenThePrimaryContextIsReset) {
    const CUcontext primary = cuDevicePrimaryCtxRetain(0).value;
    sim::define_kernel("empty", [](const sim::Launch&) { throw 5; });
    EXPECT_EQ(run_empty(), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(0).status, CUDA_SUCCESS) << "the context still exists";
    EXPECT_EQ(cuDevicePrimaryCtxReset(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(0).status, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(cuCtxSetCurrent(primary).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc(4).status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

TEST_F(SimFaultTest, LeavesTheOtherDeviceUsableAfterALaunchFailure) {
    sim::define_kernel("empty", [](const sim::Launch&) { throw 5; });
    EXPECT_EQ(run_empty(), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(cuCtxCreate_v2(0, 1).status, CUDA_SUCCESS);
}

TEST_F(SimFaultTest, ReportsAnExceptionOfABodyAsALaunchFailure) {
    sim::define_kernel("empty", [](const sim::Launch&) { throw std::runtime_error("deliberate failure"); });
    const CUfunction empty = function("empty");
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_empty(), CUDA_ERROR_LAUNCH_FAILED);
    const std::string message = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(sim::launches().at(0).problem, "deliberate failure");
    for (const char* const part : {"cubind", "empty", "CUDA_ERROR_LAUNCH_FAILED", "deliberate failure"}) {
        EXPECT_NE(message.find(part), std::string::npos) << part << " is not in " << message;
    }
    EXPECT_EQ(launch(empty), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(SimFaultTest, ReportsAnyOtherThrownObjectAsALaunchFailure) {
    sim::define_kernel("empty", [](const sim::Launch&) { throw 5; });
    EXPECT_EQ(run_empty(), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_FALSE(sim::launches().at(0).problem.empty());
}

TEST_F(SimFaultTest, ReportsAnExceptionOfAHostFunctionAsALaunchFailure) {
    const CUstream stream = create_stream();
    const CUstream other = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    ::testing::internal::CaptureStderr();
    const auto fail = [](void*) { throw std::runtime_error("deliberate failure"); };
    EXPECT_EQ(cuLaunchHostFunc(stream, fail, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(),
                AllOf(HasSubstr("CUDA_ERROR_LAUNCH_FAILED"), HasSubstr("deliberate failure")));
    EXPECT_EQ(cuMemsetD8Async(1, 0, 1, other).status, CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(SimFaultTest, ReportsAccessToFreedMemory) {
    const CUdeviceptr memory = allocate(100);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    sim::define_kernel("empty", [=](const sim::Launch& launch) { (void)launch.memory<char>(memory, 1); });
    EXPECT_EQ(run_empty(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(SimFaultTest, ReportsCountsWhoseSizeOverflows) {
    const CUdeviceptr memory = allocate(100);
    sim::define_kernel("empty", [=](const sim::Launch& launch) {
        EXPECT_EQ(launch.memory<int>(nullptr, 0).size(), 0u);
        (void)launch.memory<int>(memory, ~std::size_t{0} / 2);
    });
    EXPECT_EQ(run_empty(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(SimFaultTest, IsReportedByCopiesThatWait) {
    const CUdeviceptr memory = allocate(100);
    sim::define_kernel("empty", [](const sim::Launch&) { throw 5; });
    const CUstream stream = create_stream();
    char host[100];
    EXPECT_EQ(launch(function("empty"), nullptr, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoHAsync(host, memory, 100, stream).status, CUDA_ERROR_LAUNCH_FAILED);
}

}  // namespace
}  // namespace cubind::testing
