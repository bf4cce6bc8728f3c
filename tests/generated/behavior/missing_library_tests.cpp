// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests wrappers without libcuda, without NVRTC, and with a cudart of another major.
#include <cubind/driver.hpp>
#include <cubind/failure.hpp>
#include <cubind/nvrtc.hpp>
#include <cubind/runtime.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <stdlib.h>

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(MissingLibraryTest, ReturnsAStatusAndReportsTheSearch) {
    setenv("CUBIND_DRIVER_LIBRARY", "/no/such/libcuda.so.1", 1);
    auto [status, memory] = driver::cuMemAlloc(64);
    EXPECT_EQ(status, driver::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    EXPECT_EQ(memory, 0u);
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    EXPECT_STREQ(last_failure().library, "driver");
    EXPECT_STREQ(last_failure().function, "cuMemAlloc_v2");
    EXPECT_EQ(last_failure().status, static_cast<int>(status));
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr("/no/such/libcuda.so.1"), HasSubstr("CUBIND_DRIVER_LIBRARY")));
    EXPECT_FALSE(driver::has(driver::cuMemAlloc));
}

TEST(MissingLibraryTest, SearchesTheDriverByNameWithTheOsLoader) {
    unsetenv("CUBIND_DRIVER_LIBRARY");
    if (void* const present = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
        dlclose(present);
        GTEST_SKIP() << "this machine has a libcuda.so.1";
    }
    EXPECT_EQ(driver::cuInit(0).status, driver::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr("OS loader: libcuda.so.1"), HasSubstr("CUBIND_DRIVER_LIBRARY"),
                                             HasSubstr("Install the NVIDIA driver")));
}

TEST(MissingLibraryTest, ReturnsZeroFromAFunctionWithoutAStatus) {
    setenv("CUBIND_NVRTC_LIBRARY", "/no/such/libnvrtc", 1);
    EXPECT_EQ(nvrtc::nvrtcGetErrorString(nvrtc::NVRTC_SUCCESS), nullptr);
    EXPECT_STREQ(last_failure().function, "nvrtcGetErrorString");
}

TEST(MissingLibraryTest, ReturnsNamesOfStatusesWithoutALibrary) {
    setenv("CUBIND_DRIVER_LIBRARY", "/no/such/libcuda.so.1", 1);
    EXPECT_STREQ(driver::to_string(driver::CUDA_ERROR_OUT_OF_MEMORY), "CUDA_ERROR_OUT_OF_MEMORY");
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST(RuntimeMajorTest, RejectsAnotherMajorAndNamesIt) {
    setenv("CUBIND_RUNTIME_LIBRARY", STAND_IN_RUNTIME_12, 1);
    auto [status, version] = runtime::cudaRuntimeGetVersion();
    EXPECT_EQ(status, runtime::cudaErrorSharedObjectInitFailed);
    EXPECT_EQ(version, 0);
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr(STAND_IN_RUNTIME_12), HasSubstr("major 12"), HasSubstr("major 13")));
}

TEST(RuntimeMajorTest, AcceptsTheBoundMajor) {
    setenv("CUBIND_RUNTIME_LIBRARY", STAND_IN_RUNTIME_13, 1);
    auto [status, version] = runtime::cudaRuntimeGetVersion();
    EXPECT_EQ(status, runtime::cudaSuccess);
    EXPECT_EQ(version, 13040);
}

TEST(PlainReturnTest, ReturnsAStringAndAStructUnchanged) {
    setenv("CUBIND_RUNTIME_LIBRARY", STAND_IN_RUNTIME_13, 1);
    EXPECT_STREQ(runtime::cudaGetErrorName(runtime::cudaErrorNoDevice), "stand-in name");
    const runtime::cudaChannelFormatDesc format = runtime::cudaCreateChannelDesc(1, 2, 3, 4, runtime::cudaChannelFormatKindFloat);
    EXPECT_EQ(format.x, 1);
    EXPECT_EQ(format.w, 4);
    EXPECT_EQ(format.f, runtime::cudaChannelFormatKindFloat);
}

}  // namespace
}  // namespace cubind::testing
