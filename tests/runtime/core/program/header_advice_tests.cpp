// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/toolkit_headers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "program/header_advice.hpp"

namespace cubind::testing {
namespace {

using detail::advice_on_headers;
using detail::ToolkitHeaders;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(HeaderAdviceTest, AdvisesOnlyWhatTheLogIsAbout) {
    const std::string missing = "a.cu(1): catastrophic error: cannot open source file \"cuda_fp16.h\"";
    const std::string inside = "/toolkit/include/cuda_fp16.hpp(7): error: identifier is undefined";
    const std::string own = "a.cu(1): error: identifier is undefined";
    const ToolkitHeaders refused{.refused = {"/toolkit belongs to user 5"}};
    EXPECT_THAT(advice_on_headers(refused, 13000, missing), HasSubstr("/toolkit belongs to user 5"));
    EXPECT_EQ(advice_on_headers(refused, 13000, own), "");
    const ToolkitHeaders older{.folders = {"/toolkit/include"}, .release = 12080};
    EXPECT_THAT(advice_on_headers(older, 12090, inside), AllOf(HasSubstr("12.8"), HasSubstr("12.9")));
    EXPECT_EQ(advice_on_headers(older, 12090, own), "");
    EXPECT_EQ(advice_on_headers(older, 12080, inside), "");
}

TEST(HeaderAdviceTest, AdvisesOnMissingHeaders) {
    const auto advice = [](const char* name, const ToolkitHeaders& headers = {}) {
        return advice_on_headers(headers, 12080,
                                 std::string("a.cu(1): catastrophic error: could not open source file \"") + name +
                                     "\" (no directories in search list)");
    };
    EXPECT_THAT(advice("cstdint"), AllOf(HasSubstr("<cuda/std/cstdint>"), HasSubstr("namespace cuda::std")));
    EXPECT_THAT(advice("assert.h"), HasSubstr("<cuda/std/cassert>"));
    EXPECT_THAT(advice("cub/cub.cuh"), AllOf(HasSubstr("no headers of CUDA were found"), HasSubstr("nvidia-cuda-cccl"),
                                             HasSubstr("12.8"), HasSubstr("CUDA_PATH")));
    EXPECT_THAT(advice("nv/target", {.folders = {"/toolkit/include"}}), HasSubstr("is not in /toolkit/include"));
    EXPECT_THAT(advice("cuda_fp16.h"), HasSubstr("nvidia-cuda-runtime"));
    EXPECT_EQ(advice("mine.hpp"), "");
}

}  // namespace
}  // namespace cubind::testing
