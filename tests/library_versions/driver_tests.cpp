// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs on the driver of the release CUBIND_TEST_RELEASE, which the OS loader finds on LD_LIBRARY_PATH.
#include <cubind/driver.hpp>
#include <cubind/failure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <vector>

#include "wrapper_list.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;
using namespace cubind::driver;
using ::testing::AllOf;
using ::testing::HasSubstr;

WrapperList list() {
    return tested_library("driver").list;
}

std::string folder() {
    const std::string path = getenv("LD_LIBRARY_PATH");
    return path.substr(0, path.find(':'));
}

class DriverTest : public ::testing::Test {
protected:
    DriverTest() { unsetenv("CUBIND_DRIVER_LIBRARY"); }
};

TEST_F(DriverTest, IsFoundByTheOsLoaderAndReportsItsVersion) {
    ASSERT_TRUE(load(driver::library())) << last_failure().detail;
    EXPECT_EQ(library_path(driver::library()), folder() + "/libcuda.so.1");
    EXPECT_STREQ(library_found_via(driver::library()), "OS loader");
    EXPECT_GE(release_number(tested_release()), 12000);
    EXPECT_EQ(version(driver::library()), release_number(tested_release()));
    EXPECT_EQ(cuDriverGetVersion().value, release_number(tested_release()));
}

TEST_F(DriverTest, HasExactlyTheFunctionsOfItsRelease) {
    const auto before = last_failure().reason;
    std::set<std::string_view> missing;
    for (const Wrapper& wrapper : list().wrappers) {
        EXPECT_EQ(wrapper.has(), list().expects(wrapper)) << wrapper.name << " calls " << wrapper.symbol;
        if (!wrapper.has()) missing.insert(wrapper.symbol);
    }
    EXPECT_EQ(last_failure().reason, before);
    // Each release adds functions. The last release of the list is a future one.
    const std::string_view newest = list().releases[list().releases.size() - 2];
    EXPECT_EQ(missing.empty(), release_number(tested_release()) >= release_number(newest));
}

TEST_F(DriverTest, CallsEveryFunctionOrReportsTheMissingSymbol) {
    const std::vector<std::string> found = {folder() + "/libcuda.so.1", "OS loader", std::string(tested_release())};
    for (const Wrapper& wrapper : list().wrappers) {
        if (list().expects(wrapper)) {
            EXPECT_EQ(wrapper.call_with_zeros(), CUDA_SUCCESS) << wrapper.name;
        } else {
            expect_missing_symbol(wrapper, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, found);
        }
    }
}

TEST_F(DriverTest, ReportsTheDriverThatAMissingFunctionRequires) {
    if (has(cuCtxCreate_v4)) return;
    auto [status, context] = cuCtxCreate(nullptr, 0, 0);
    EXPECT_EQ(status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    EXPECT_EQ(context, nullptr);
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr("NVIDIA driver"), HasSubstr("12.5")));
}

TEST_F(DriverTest, ReturnsTheResultsOfTheLibrary) {
    EXPECT_TRUE(cuInit(0).ok());
    EXPECT_EQ(cuInit(1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetCount().value, release_number(tested_release()) % 1000 / 10 + 1);
    auto [status, memory] = cuMemAlloc(64);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(memory, CUdeviceptr{0xc0de'0000'0040});
    EXPECT_TRUE(cuMemFree(memory).ok());
    EXPECT_EQ(cuMemFree(0x40).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAlloc(4096).status, CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(DriverTest, CallsOlderVersionsOfRenamedFunctions) {
    EXPECT_TRUE(cuCtxCreate_v1(0, 0).ok());
    EXPECT_TRUE(cuCtxCreate_v2(0, 0).ok());
    EXPECT_TRUE(cuCtxCreate_v3(nullptr, 0, 0, 0).ok());
    EXPECT_TRUE(cuMemFree_v1(0).ok());
    EXPECT_TRUE(cuEventElapsedTime_v1(nullptr, nullptr).ok());
}

using AnyDriverTest = DriverTest;

TEST_F(AnyDriverTest, ReturnsTheSymbolAndTheReleaseOfEveryFunction) {
    for (const Wrapper& wrapper : list().wrappers) {
        EXPECT_STREQ(wrapper.entry_point()->symbol, wrapper.symbol) << wrapper.name;
        EXPECT_STREQ(wrapper.available_since(), wrapper.since) << wrapper.name;
    }
}

using NoDriverTest = DriverTest;

TEST_F(NoDriverTest, FailsInEveryFunction) {
    if (tested_release() == "none" && load(driver::library())) {
        GTEST_SKIP() << "this machine has the driver " << library_path(driver::library());
    }
    EXPECT_EQ(version(driver::library()), 0);
    for (const Wrapper& wrapper : list().wrappers) {
        EXPECT_FALSE(wrapper.has()) << wrapper.name;
        EXPECT_EQ(wrapper.call_with_zeros(), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED) << wrapper.name;
        EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
        EXPECT_STREQ(last_failure().function, wrapper.symbol);
    }
    const std::string tried =
        tested_release() == "broken" ? folder() + "/libcuda.so.1: is not a library: it has no ELF header" : "libcuda.so.1: ";
    EXPECT_THAT(last_failure().detail, HasSubstr(tried));
    EXPECT_THAT(last_failure().detail, HasSubstr("NVIDIA driver"));
}

}  // namespace
}  // namespace cubind::testing
