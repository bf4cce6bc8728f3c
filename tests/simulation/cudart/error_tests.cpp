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
