// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs on the vendor's cudart of the release CUBIND_TEST_RELEASE, which CUBIND_RUNTIME_LIBRARY names or which is on
// LD_LIBRARY_PATH. Only a cudart of major version 13 is accepted.
#include <cubind/failure.hpp>
#include <cubind/runtime.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>
#include <string>

#include "wrapper_list.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;
using namespace cubind::runtime;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::string text(const char* variable) {
    const char* const value = getenv(variable);
    return value != nullptr ? value : "";
}

bool is_rejected() {
    return release_number(tested_release()) / 1000 != 13;
}

void expect_failing_calls() {
    auto [status, version] = cudaRuntimeGetVersion();
    EXPECT_EQ(status, cudaErrorSharedObjectInitFailed);
    EXPECT_EQ(version, 0);
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    EXPECT_STREQ(last_failure().function, "cudaRuntimeGetVersion");
    EXPECT_FALSE(has(cudaRuntimeGetVersion));
    EXPECT_EQ(cubind::version(library()), 0);
}

void expect_the_tested_library() {
    ASSERT_TRUE(load(library())) << last_failure().detail;
    EXPECT_EQ(version(library()), release_number(tested_release()));
    auto [status, version] = cudaRuntimeGetVersion();
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_EQ(version, release_number(tested_release()));
    EXPECT_TRUE(has(cudaMalloc));
}

TEST(RuntimeMajorTest, IsCheckedForTheOverride) {
    const std::string file = text("CUBIND_RUNTIME_LIBRARY");
    ASSERT_NE(file, "");
    if (!is_rejected()) {
        expect_the_tested_library();
        EXPECT_EQ(library_path(library()), file);
        return;
    }
    expect_failing_calls();
    EXPECT_THAT(last_failure().detail,
                AllOf(HasSubstr(file), ContainsRegex("major (version )?12"), ContainsRegex("major (version )?13")));
}

TEST(RuntimeMajorTest, IsCheckedForTheOsLoader) {
    unsetenv("CUBIND_RUNTIME_LIBRARY");
    const std::string folders = text("LD_LIBRARY_PATH");
    const std::string folder = folders.substr(0, folders.find(':'));
    // A wheel of an installed Python is searched first.
    if (load(library()) && (is_rejected() || library_path(library()) != folder + "/libcudart.so.13")) {
        GTEST_SKIP() << "this machine has the library " << library_path(library());
    }
    if (!is_rejected()) {
        expect_the_tested_library();
        EXPECT_STREQ(library_found_via(library()), "OS loader");
        return;
    }
    expect_failing_calls();
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr(folder + "/libcudart.so.12: "), ContainsRegex("major.*13"),
                                             HasSubstr("libcudart.so.13: "), HasSubstr("CUDA toolkit 13")));
}

}  // namespace
}  // namespace cubind::testing
