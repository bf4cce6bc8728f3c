// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <thread>

#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

TEST(CudartErrorTest, ReturnsTheLastErrorOnce) {
    EXPECT_EQ(cudaGetLastError().status, cudaSuccess);
    EXPECT_EQ(cudaSetDevice(1000).status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaPeekAtLastError().status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaFree(nullptr).status, cudaSuccess) << "success does not remove it";
    EXPECT_EQ(cudaGetLastError().status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaPeekAtLastError().status, cudaSuccess);
    EXPECT_EQ(cudaGetLastError().status, cudaSuccess);
}

TEST(CudartErrorTest, StoresTheLastErrorOfEachThread) {
    EXPECT_EQ(cudaSetDevice(-1).status, cudaErrorInvalidDevice);
    std::thread([] { EXPECT_EQ(cudaPeekAtLastError().status, cudaSuccess); }).join();
    EXPECT_EQ(cudaGetLastError().status, cudaErrorInvalidDevice);
}

TEST(CudartErrorTest, ReturnsNamesAndTexts) {
    const struct {
        cudaError_t error;
        const char* name;
        const char* text;
    } rows[] = {
        {cudaSuccess, "cudaSuccess", "no error"},
        {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
        {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
        {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
        {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
        {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
        {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
        {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
        {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
        {cudaError_t{12345}, "unrecognized error code", "unrecognized error code"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(std::string(cudaGetErrorName(row.error)), row.name);
        EXPECT_EQ(std::string(cudaGetErrorString(row.error)), row.text);
    }
}

TEST(CudartErrorTest, ReadsTheLogOfTheDriver) {
    const auto [status, begin] = cudaLogsCurrent(0);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaLogsRegisterCallback(nullptr, nullptr).status, cudaErrorInvalidValue);
    char buffer[1000];
    for (const unsigned flags : {0u, 99u}) {  // the library ignores them, and the driver does not
        const auto read = cudaLogsDumpToMemory(begin, buffer, sizeof buffer, flags);
        EXPECT_EQ(read.status, cudaSuccess);
        EXPECT_EQ(read.value1, begin + 2);
        EXPECT_NE(std::string(buffer, read.value2).find("Returning 1 (CUDA_ERROR_INVALID_VALUE) from"), std::string::npos);
        EXPECT_EQ(cudaLogsDumpToFile(begin, "/dev/null", flags).status, cudaSuccess);
    }
    int calls = 0;
    const auto callback =
        cudaLogsRegisterCallback([](void* data, cudaLogLevel, char*, std::size_t) { ++*static_cast<int*>(data); }, &calls);
    EXPECT_EQ(cudaLogsRegisterCallback(nullptr, nullptr).status, cudaErrorInvalidValue);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(cudaLogsUnregisterCallback(callback.value).status, cudaSuccess);
    EXPECT_EQ(cudaGetLastError().status, cudaErrorInvalidValue);
}

TEST(CudartErrorTest, CountsCallsWithoutBehavior) {
    if (!is_simulated()) GTEST_SKIP() << "needs the simulation";
    const auto calls = runtime_symbol<unsigned long(const char*)>("cudaCubindSimulation");
    EXPECT_EQ(calls(nullptr), 0u);
    EXPECT_EQ(cudaGraphicsUnregisterResource(nullptr).status, cudaErrorNotSupported);
    EXPECT_EQ(runtime_symbol<cudaError_t()>("cudaGLSetGLDevice")(), cudaErrorNotSupported);
    EXPECT_EQ(cudaGetLastError().status, cudaErrorNotSupported);
    EXPECT_EQ(calls("cudaGraphicsUnregisterResource"), 1u);
    EXPECT_EQ(calls("cudaGLSetGLDevice"), 1u);
    EXPECT_EQ(calls(nullptr), 2u);
}

}  // namespace
}  // namespace cubind::testing
