// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotations that no tool receives. Each test runs the program again, because a process looks for the tool once.
#include <cubind/nvtx/nvtx_counter.hpp>
#include <cubind/nvtx/nvtx_domain.hpp>
#include <cubind/nvtx/nvtx_payload.hpp>
#include <cubind/nvtx/nvtx_range.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

namespace cubind::testing {
namespace {

// Ends the process with 0 if no tool was found and nothing has failed.
[[noreturn]] void annotate(const char* path) {
    if (path != nullptr) ::setenv("NVTX_INJECTION64_PATH", path, 1);
    const NvtxDomain domain("solver");
    domain.name_category(1, "input");
    domain.mark(domain.register_string("registered"));
    const NvtxCounter counter = domain.counter("counter");
    counter.sample(1);
    counter.sample_unavailable();
    if (counter.id() != 0) std::_Exit(2);
    domain.mark("mark", {.color = 1, .category = 1, .payload = 2.0});
    struct Step {
        int layer;
    };
    const NvtxPayloadSchema<Step> schema(domain, "step", {{"layer", &Step::layer}});
    const Step step{1};
    if (schema.id() != 0 || schema(step).kind() != 0) std::_Exit(3);
    domain.mark("step", {.category = domain.category("input"), .payload = schema(step)});
    {
        const NvtxRange range(domain, "range");
        NvtxProcessRange process_range(domain, "process range");
        const NvtxProcessRange moved = std::move(process_range);
    }
    std::_Exit(has_nvtx_tool() || domain != NvtxDomainRef() ? 1 : 0);
}

class NvtxWithoutToolDeathTest : public ::testing::Test {
protected:
    void SetUp() override {
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        ::unsetenv("NVTX_INJECTION64_PATH");
    }
};

TEST_F(NvtxWithoutToolDeathTest, DoesNothing) {
    EXPECT_EXIT(annotate(nullptr), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(annotate(""), ::testing::ExitedWithCode(0), "");
}

TEST_F(NvtxWithoutToolDeathTest, IgnoresLibrariesThatAreNoTools) {
    EXPECT_EXIT(annotate("/nowhere/libtool.so"), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(annotate("libm.so.6"), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(annotate(REFUSING_TOOL), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
