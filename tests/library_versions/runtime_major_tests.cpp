// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The vendor's own cudart of CUBIND_TEST_RELEASE, which CUBIND_RUNTIME_LIBRARY names, or which lies on LD_LIBRARY_PATH: only
// that of major 13 is used.
#include <cubind/runtime.hpp>

#include <stdlib.h>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cubind/failure.hpp>

#include "wrapper_list.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;
using namespace cubind::runtime;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string text(const char* variable) {
    const char* const value = getenv(variable);
    return value != nullptr ? value : "";
}

bool is_refused() { return release_number(tested_release()) / 1000 != 13; }

void expect_that_calls_say_why() {
    auto [status, version] = cudaRuntimeGetVersion();
    EXPECT_EQ(status, cudaErrorSharedObjectInitFailed);
    EXPECT_EQ(version, 0);
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    EXPECT_STREQ(last_failure().function, "cudaRuntimeGetVersion");
    EXPECT_FALSE(has(cudaRuntimeGetVersion));
    EXPECT_EQ(cubind::version(library()), 0);
}

void expect_the_tested_one() {
    ASSERT_TRUE(load(library())) << last_failure().detail;
    EXPECT_EQ(version(library()), release_number(tested_release()));
    auto [status, version] = cudaRuntimeGetVersion();
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_EQ(version, release_number(tested_release()));
    EXPECT_TRUE(has(cudaMalloc));
}

TEST(RuntimeMajor, OfTheOverride) {
    const std::string file = text("CUBIND_RUNTIME_LIBRARY");
    ASSERT_NE(file, "");
    if (!is_refused()) {
        expect_the_tested_one();
        EXPECT_EQ(library_path(library()), file);
        return;
    }
    expect_that_calls_say_why();
    EXPECT_THAT(last_failure().detail, HasSubstr(file + ": is major 12, but major 13 is needed"));
}

TEST(RuntimeMajor, OfTheOsLoader) {
    unsetenv("CUBIND_RUNTIME_LIBRARY");
    const std::string folders = text("LD_LIBRARY_PATH");
    const std::string folder = folders.substr(0, folders.find(':'));
    // A wheel of this machine's Python would come first.
    if (load(library()) && (is_refused() || library_path(library()) != folder + "/libcudart.so.13")) {
        GTEST_SKIP() << "this machine has " << library_path(library());
    }
    if (!is_refused()) {
        expect_the_tested_one();
        EXPECT_STREQ(library_found_via(library()), "OS loader");
        return;
    }
    expect_that_calls_say_why();
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr(folder + "/libcudart.so.12: is of another major than 13, which is needed"),
                                             HasSubstr("libcudart.so.13: "), HasSubstr("Install the CUDA toolkit 13")));
}

}  // namespace
}  // namespace cubind::testing
