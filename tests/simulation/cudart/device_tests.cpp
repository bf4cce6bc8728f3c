// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <thread>

#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

bool is_primary_active(int device) {
    const auto [status, flags, is_active] = driver::cuDevicePrimaryCtxGetState(device);
    return status == driver::CUDA_SUCCESS && is_active != 0;
}

TEST(CudartDeviceTest, CreatesThePrimaryContextAtTheFirstUse) {
    EXPECT_GE(cudaGetDeviceCount().value, 1);
    EXPECT_EQ(cudaGetDevice().value, 0);
    EXPECT_FALSE(is_primary_active(0));
    EXPECT_EQ(cudaFree(nullptr).status, cudaSuccess);
    EXPECT_TRUE(is_primary_active(0));
    EXPECT_EQ(driver::cuCtxGetCurrent().value, driver::cuDevicePrimaryCtxRetain(0).value);
}

TEST(CudartDeviceTest, UsesTheCurrentContextOfTheDriver) {
    ASSERT_EQ(driver::cuInit(0).status, driver::CUDA_SUCCESS);
    const auto context = driver::cuCtxCreate_v2(0, 0).value;
    void* const memory = allocate(64);
    EXPECT_FALSE(is_primary_active(0));
    EXPECT_EQ(driver::cuCtxGetCurrent().value, context);
    EXPECT_EQ(cudaFree(memory).status, cudaSuccess);
}

TEST(CudartDeviceTest, SelectsADeviceForEachThread) {
    if (cudaGetDeviceCount().value < 2) GTEST_SKIP() << "needs two devices";
    EXPECT_EQ(cudaSetDevice(1).status, cudaSuccess);
    EXPECT_TRUE(is_primary_active(1));
    void* const memory = allocate(64);
    EXPECT_EQ(cudaPointerGetAttributes(memory).value.device, 1);
    std::thread([] { EXPECT_EQ(cudaGetDevice().value, 0); }).join();
    EXPECT_EQ(cudaGetDevice().value, 1);
    EXPECT_EQ(cudaSetDevice(cudaGetDeviceCount().value).status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDevice().value, 1);
}

TEST(CudartDeviceTest, ResetDestroysWhatTheContextContains) {
    void* const memory = allocate(64);
    const auto stream = cudaStreamCreate().value;
    EXPECT_EQ(cudaDeviceReset().status, cudaSuccess);
    EXPECT_FALSE(is_primary_active(0));
    if (is_simulated()) {  // a GPU may use the address or the handle again
        EXPECT_NE(cudaMemset(memory, 0, 64).status, cudaSuccess);
        EXPECT_NE(cudaStreamSynchronize(stream).status, cudaSuccess);
    }
    EXPECT_EQ(cudaMemset(allocate(64), 0, 64).status, cudaSuccess);
    EXPECT_TRUE(is_primary_active(0));
    std::thread([] { EXPECT_EQ(cudaFree(allocate(64)).status, cudaSuccess); }).join();
}

TEST(CudartDeviceTest, ResetAffectsTheContextOfOtherThreads) {
    std::thread other([] {
        EXPECT_EQ(cudaFree(allocate(64)).status, cudaSuccess);
        std::thread([] { EXPECT_EQ(cudaDeviceReset().status, cudaSuccess); }).join();
        EXPECT_EQ(cudaFree(allocate(64)).status, cudaSuccess);
    });
    other.join();
}

TEST(CudartDeviceTest, ActivatesTheContextAgainAfterAResetByTheDriver) {
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096).status, cudaSuccess);
    EXPECT_EQ(driver::cuDevicePrimaryCtxReset(0).status, driver::CUDA_SUCCESS);
    EXPECT_FALSE(is_primary_active(0));
    EXPECT_EQ(cudaFree(allocate(64)).status, cudaSuccess);
    EXPECT_TRUE(is_primary_active(0));
    EXPECT_EQ(cudaDeviceGetLimit(cudaLimitStackSize).value, 1024u) << "the default";
    EXPECT_EQ(cudaDeviceReset().status, cudaSuccess);
    EXPECT_FALSE(is_primary_active(0)) << "retained once";
}

TEST(CudartDeviceTest, InitializesADevice) {
    EXPECT_EQ(cudaInitDevice(0, 0, 0).status, cudaSuccess);
    EXPECT_TRUE(is_primary_active(0));
    EXPECT_NE(driver::cuCtxGetCurrent().value, nullptr);
}

TEST(CudartDeviceTest, ReturnsTheAttributesOfTheDriver) {
    const auto [status, properties] = cudaGetDeviceProperties(0);
    ASSERT_EQ(status, cudaSuccess);
    char name[256] = "";
    EXPECT_EQ(driver::cuDeviceGetName(name, sizeof name, 0).status, driver::CUDA_SUCCESS);
    EXPECT_EQ(std::string(properties.name), name);
    EXPECT_EQ(properties.totalGlobalMem, driver::cuDeviceTotalMem(0).value);
    const auto attribute = [](cudaDeviceAttr which) { return cudaDeviceGetAttribute(which, 0).value; };
    EXPECT_EQ(properties.major, attribute(cudaDevAttrComputeCapabilityMajor));
    EXPECT_EQ(properties.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount));
    EXPECT_EQ(properties.maxThreadsDim[2], attribute(cudaDevAttrMaxBlockDimZ));
    EXPECT_EQ(properties.memPitch, static_cast<std::size_t>(attribute(cudaDevAttrMaxPitch)));
    EXPECT_EQ(properties.sharedMemPerBlockOptin, static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)));
    EXPECT_EQ(cudaGetDeviceProperties(1000).status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceGetAttribute(cudaDevAttrWarpSize, 1000).status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceGetAttribute(cudaDeviceAttr{100000}, 0).status, cudaErrorInvalidValue);
}

TEST(CudartDeviceTest, ConvertsBusIds) {
    char id[32] = "";
    ASSERT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetByPCIBusId(id).value, 0);
    EXPECT_EQ(cudaDeviceGetByPCIBusId("ffff:ff:1f.0").status, cudaErrorInvalidDevice);
}

TEST(CudartDeviceTest, SetsLimitsAndFlags) {
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetLimit(cudaLimitStackSize).value, 4096u);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimit{99}, 1).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleYield).status, cudaSuccess);
    EXPECT_EQ(cudaGetDeviceFlags().value & cudaDeviceScheduleMask, static_cast<unsigned>(cudaDeviceScheduleYield));
    EXPECT_EQ(cudaGetDeviceFlags().value & cudaDeviceMapHost, static_cast<unsigned>(cudaDeviceMapHost));
    EXPECT_EQ(cudaSetDeviceFlags(0x10000).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaInitDevice(0, 0, 0).status, cudaSuccess);
    EXPECT_EQ(cudaInitDevice(1000, 0, 0).status, cudaErrorInvalidDevice);
}

TEST(CudartDeviceTest, AccessesPeers) {
    if (cudaGetDeviceCount().value < 2) GTEST_SKIP() << "needs two devices";
    EXPECT_EQ(cudaDeviceCanAccessPeer(0, 1).value, 1);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0).status, cudaErrorPeerAccessUnsupported) << "the device itself";
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0).status, cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1).status, cudaErrorPeerAccessNotEnabled);
    void* const here = write(std::vector<int>{1, 2, 3});
    EXPECT_EQ(cudaSetDevice(1).status, cudaSuccess);
    void* const there = allocate(12);
    EXPECT_EQ(cudaMemcpyPeer(there, 1, here, 0, 12).status, cudaSuccess);
    EXPECT_EQ(read<int>(there, 3), (std::vector<int>{1, 2, 3}));
}

}  // namespace
}  // namespace cubind::testing
