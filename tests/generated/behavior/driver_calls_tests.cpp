// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the results of wrappers with a stand-in for libcuda.
#include <cubind/driver.hpp>
#include <cubind/failure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>

#include "per_thread.hpp"

namespace cubind::testing {
namespace {

using namespace driver;

class DriverCallsTest : public ::testing::Test {
protected:
    DriverCallsTest() { setenv("CUBIND_DRIVER_LIBRARY", STAND_IN_DRIVER, 1); }
};

TEST_F(DriverCallsTest, BindsAStatusWithoutOutputsToOneName) {
    auto [status] = cuInit(0);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_TRUE(cuInit(0).ok());
    EXPECT_STREQ(library_path(driver::library()), STAND_IN_DRIVER);
}

TEST_F(DriverCallsTest, ReturnsAnOutputAfterTheStatus) {
    auto [status, memory] = cuMemAlloc(64);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(memory, CUdeviceptr{0x7040});
}

TEST_F(DriverCallsTest, ReturnsOutputsInTheOrderOfTheParameters) {
    auto [status, free, total] = cuMemGetInfo();
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(free, 11u);
    EXPECT_EQ(total, 22u);
}

TEST_F(DriverCallsTest, ReturnsSixOutputs) {
    auto [status, capture, id, graph, dependencies, edges, count] = cuStreamGetCaptureInfo(nullptr);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(capture, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    EXPECT_EQ(id, 42u);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(dependencies, nullptr);
    EXPECT_EQ(edges, nullptr);
    EXPECT_EQ(count, 3u);
}

TEST_F(DriverCallsTest, WritesAStringWithALengthToTheCallersBuffer) {
    char name[12] = "";
    EXPECT_TRUE(cuDeviceGetName(name, sizeof name, 7).ok());
    EXPECT_STREQ(name, "Stand-in 7");
}

TEST_F(DriverCallsTest, ReturnsAStringOfTheLibraryByValue) {
    auto [status, text] = cuGetErrorString(CUDA_ERROR_NO_DEVICE);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_STREQ(text, "stand-in text");
}

TEST_F(DriverCallsTest, AcceptsAndReturnsAnInoutParameter) {
    char buffer[64] = "";
    auto [status, iterator, size] = cuLogsDumpToMemory(5, buffer, sizeof buffer, 0);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(iterator, CUlogIterator{7});
    EXPECT_EQ(size, sizeof "two lines\nof log");
    EXPECT_STREQ(buffer, "two lines\nof log");
}

TEST_F(DriverCallsTest, ReturnsTheRequiredSizeOfATooSmallBuffer) {
    char buffer[4] = "";
    auto [status, iterator, size] = cuLogsDumpToMemory(5, buffer, sizeof buffer, 0);
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(iterator, CUlogIterator{5});
    EXPECT_EQ(size, sizeof "two lines\nof log");
}

TEST_F(DriverCallsTest, ReturnsOutputsThatAFailedCallWrote) {
    auto [status, memory] = cuMemAlloc(5000);
    EXPECT_EQ(status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(memory, CUdeviceptr{0x7000 + 5000});
}

TEST_F(DriverCallsTest, ReturnsZeroForOutputsThatAFailedCallDidNotWrite) {
    auto [status, count] = cuDeviceGetCount();
    EXPECT_EQ(status, CUDA_ERROR_NO_DEVICE);
    EXPECT_EQ(count, 0);
}

TEST_F(DriverCallsTest, StoresTheLastFailureAndRetainsItOnSuccess) {
    EXPECT_TRUE(cuInit(0).ok());
    EXPECT_EQ(last_failure().reason, FailureReason::none);
    EXPECT_FALSE(cuDeviceGetCount().ok());
    EXPECT_TRUE(cuInit(0).ok());
    EXPECT_EQ(last_failure().reason, FailureReason::status);
    EXPECT_STREQ(last_failure().library, "driver");
    EXPECT_STREQ(last_failure().function, "cuDeviceGetCount");
    EXPECT_EQ(last_failure().status, static_cast<int>(CUDA_ERROR_NO_DEVICE));
}

TEST_F(DriverCallsTest, ReportsAMissingSymbolAndItsRelease) {
    auto [status] = cuMemFree(0);
    EXPECT_EQ(status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
    EXPECT_STREQ(last_failure().function, "cuMemFree_v2");
    EXPECT_EQ(last_failure().status, static_cast<int>(status));
    EXPECT_THAT(last_failure().detail, ::testing::AllOf(::testing::HasSubstr("cuMemFree_v2"),
                                                        ::testing::HasSubstr(STAND_IN_DRIVER), ::testing::HasSubstr("CUDA 3.2")));
}

TEST_F(DriverCallsTest, ChecksForAFunctionWithoutCallingIt) {
    EXPECT_TRUE(has(cuInit));
    EXPECT_TRUE(has(cuMemAlloc));
    EXPECT_TRUE(has(cuGetProcAddress));
    EXPECT_FALSE(has(cuMemFree));
    EXPECT_FALSE(has(cuLaunchKernel));
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(DriverCallsTest, ReturnsAvailableSinceWithoutALibrary) {
    EXPECT_STREQ(available_since(cuMemAlloc), "3.2");
    EXPECT_STREQ(available_since(cuFuncGetParamInfo), "12.4");
    EXPECT_EQ(driver::library().state.outcome, nullptr);
}

TEST_F(DriverCallsTest, AddsTheFlagOfThePerThreadGetProcAddress) {
    const auto flags = [](void* function) { return reinterpret_cast<cuuint64_t>(function); };
    EXPECT_EQ(flags(cuGetProcAddress("cuInit", 12000, 0).value1), 0u);
    EXPECT_EQ(flags(per_thread::get_proc_address(0)), static_cast<cuuint64_t>(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
    EXPECT_EQ(flags(per_thread::get_proc_address(CU_GET_PROC_ADDRESS_LEGACY_STREAM)),
              static_cast<cuuint64_t>(CU_GET_PROC_ADDRESS_LEGACY_STREAM));
}

TEST_F(DriverCallsTest, ChecksForThePerThreadGetProcAddress) {
    EXPECT_TRUE(per_thread::has_get_proc_address());
}

}  // namespace
}  // namespace cubind::testing
