// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that a tool for NVTX receives as ranges; see tests/runtime/nvtx/recording_tool.cpp.
#include <cubind/layers/nvtx.hpp>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

class NvtxLayerTest : public SimulatedTest {
protected:
    static void SetUpTestSuite() { ASSERT_EQ(::setenv("NVTX_INJECTION64_PATH", RECORDING_TOOL, 1), 0); }
    void SetUp() override {
        SimulatedTest::SetUp();
        forget();
    }
    void TearDown() override {
        layers::nvtx::stop();
        SimulatedTest::TearDown();
    }

    static std::string recorded() {
        void* const tool = ::dlopen(RECORDING_TOOL, RTLD_LAZY | RTLD_NOLOAD);
        return tool == nullptr ? "" : reinterpret_cast<const char* (*)()>(::dlsym(tool, "recorded"))();
    }
    static void forget() {
        void* const tool = ::dlopen(RECORDING_TOOL, RTLD_LAZY | RTLD_NOLOAD);
        if (tool != nullptr) reinterpret_cast<void (*)()>(::dlsym(tool, "forget"))();
    }
    // Returns the recorded text with "N" for the numbers of the domain and of categories, which depend on the libraries of the
    // build.
    static std::string recorded_without_numbers() {
        return std::regex_replace(recorded(), std::regex("(create|string|push|pop|mark|category) ?\\d+"), "$1 N");
    }
};

TEST_F(NvtxLayerTest, ShowsEachCall) {
    EXPECT_EQ(recorded(), "") << "no tool is loaded while the layer is off";
    layers::nvtx::start();
    ASSERT_TRUE(cuStreamCreate(0).ok());
    const std::string first = recorded_without_numbers();
    EXPECT_THAT(first, ::testing::StartsWith("create N: cubind\ncategory N: "));
    EXPECT_THAT(first, HasSubstr(" is driver\n"));
    EXPECT_THAT(first, HasSubstr(" is nvrtc\n"));
    forget();
    const CUstream stream = cuStreamCreate(0).value;
    ASSERT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_EQ(recorded_without_numbers(),
              "push N: cuStreamCreate (registered) category N\npop N\n"
              "string N: cuStreamSynchronize\npush N: cuStreamSynchronize (registered) category N\npop N\n");
    forget();
    layers::nvtx::stop();
    ASSERT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_EQ(recorded(), "");
}

TEST_F(NvtxLayerTest, MarksAnotherStatusThanSuccess) {
    layers::nvtx::start();
    EXPECT_FALSE(cuMemAlloc_v2(0).ok());
    EXPECT_THAT(recorded_without_numbers(),
                ::testing::EndsWith("push N: cuMemAlloc_v2 (registered) category N\npop N\n"
                                    "mark N: cuMemAlloc_v2 returned CUDA_ERROR_INVALID_VALUE category N signed 1\n"));
}

TEST_F(NvtxLayerTest, ShowsCallsOfManyThreads) {
    layers::nvtx::start();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (int call = 0; call < 100; ++call) (void)cuDriverGetVersion();
        });
    }
    for (std::thread& each : threads) each.join();
    layers::nvtx::stop();
    const std::string text = recorded_without_numbers();
    const auto count = [&](const std::string& line) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(line, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    EXPECT_EQ(count("push N: cuDriverGetVersion (registered)"), 400u);
    EXPECT_EQ(count("pop N\n"), 400u);
    EXPECT_GE(count("string N: cuDriverGetVersion"), 1u);
}

TEST_F(NvtxLayerTest, IsBelowOrAboveOtherLayers) {
    layers::nvtx::start();
    layers::faults::start();
    layers::faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAlloc_v2(64).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THAT(recorded(), ::testing::Not(HasSubstr("push")));
    layers::nvtx::start();  // moves to the top
    layers::faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAlloc_v2(64).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THAT(recorded(), HasSubstr("cuMemAlloc_v2 returned CUDA_ERROR_OUT_OF_MEMORY"));
}

}  // namespace
}  // namespace cubind::testing
