// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

namespace faults = layers::faults;
using cubind::check;

class SweepTest : public SimulatedTest {
protected:
    // Makes three calls. The third one destroys the object of the second one.
    static void three_calls() {
        check(cuCtxGetCurrent());
        const CUdeviceptr memory = check(cuMemAlloc(64));
        check(cuMemFree(memory));
    }
    faults::FailEachCallOptions noting() {
        return {.after = [this](const faults::Fault& fault) {
            seen.push_back(fault.function + " " + std::to_string(fault.call) + " " + std::to_string(fault.status));
        }};
    }
    std::vector<std::string> seen;
};

TEST_F(SweepTest, FailsEachCallOnce) {
    layers::leaks::start();
    EXPECT_EQ(faults::fail_each_call(three_calls, noting()), 3u);
    EXPECT_THAT(seen, ElementsAre("cuCtxGetCurrent 1 1", "cuMemAlloc_v2 2 1", "cuMemFree_v2 3 1"));
    EXPECT_EQ(layers::leaks::report(), "");
    three_calls();
}

TEST_F(SweepTest, AppliesStatusAndExemptFunctions) {
    auto options = noting();
    options.status = CUDA_ERROR_OUT_OF_MEMORY;
    options.except = {"cuMemFree", "cuCtxGetCurrent"};
    EXPECT_EQ(faults::fail_each_call(three_calls, options), 1u);
    EXPECT_THAT(seen, ElementsAre("cuMemAlloc_v2 1 2"));
    options.except = {"cuNoSuchFunction"};
    EXPECT_THROW(faults::fail_each_call(three_calls, options), std::invalid_argument);
    EXPECT_EQ(faults::fail_each_call([] {}), 0u);
}

TEST_F(SweepTest, PropagatesExceptionsOfRunsWithoutFault) {
    EXPECT_THROW(faults::fail_each_call([] { throw std::runtime_error("of its own"); }), std::runtime_error);
    int runs = 0;
    EXPECT_THROW(faults::fail_each_call([&] {
                     ++runs;
                     if (!cuInit(0).ok()) return;
                     throw std::runtime_error("when all calls succeed");
                 }),
                 std::runtime_error);
    EXPECT_EQ(runs, 2);
    auto options = noting();
    options.after = [](const faults::Fault&) { throw std::runtime_error("of after()"); };
    EXPECT_THROW(faults::fail_each_call(three_calls, options), std::runtime_error);
    EXPECT_TRUE(cuInit(0).ok()) << "the layer is removed";
    EXPECT_EQ(faults::fail_each_call(three_calls), 3u) << "the layer is added again";
}

TEST_F(SweepTest, HandlesOperationsThatReactToFailures) {
    int runs = 0;
    // Uses another function if the first one fails.
    const auto operation = [&] {
        ++runs;
        CUdeviceptr memory = 0;
        if (const auto first = cuMemAlloc(64); first.ok()) {
            memory = first.value;
        } else if (const auto second = cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL); second.ok()) {
            memory = second.value;
        } else {
            return;
        }
        cuMemsetD8(memory, 0, 64);
        cuMemFree(memory);
    };
    EXPECT_EQ(faults::fail_each_call(operation, noting()), 3u);
    EXPECT_THAT(seen, ElementsAre("cuMemAlloc_v2 1 1", "cuMemsetD8_v2 2 1", "cuMemFree_v2 3 1"));
    EXPECT_EQ(runs, 4);
}

TEST_F(SweepTest, CountsCallsOfItsThreadOnly) {
    EXPECT_EQ(faults::fail_each_call([] {
                  std::thread([] { EXPECT_TRUE(cuDeviceGetCount().ok()); }).join();
                  cuInit(0);
              }),
              1u);
}

TEST_F(SweepTest, SupportsNesting) {
    EXPECT_EQ(faults::fail_each_call([] {
                  cuInit(0);
                  faults::fail_each_call([] {});
                  cuInit(0);
              }),
              2u)
        << "the outer sweep continues after the inner one";
}

TEST_F(SweepTest, SupportsConcurrentThreads) {
    in_threads(4, [this](int) {
        ASSERT_TRUE(cuCtxSetCurrent(context).ok());
        for (int times = 0; times < 30; ++times) EXPECT_EQ(faults::fail_each_call(three_calls), 3u);
    });
}

// Exits with the number of calls that were made to fail.
void sweep_without_room_for_the_log() {
    const rlimit none{};
    setrlimit(RLIMIT_FSIZE, &none);
    std::exit(static_cast<int>(faults::fail_each_call([] { cuInit(0); })));
}

TEST_F(SweepTest, SurvivesALogThatCannotBeWritten) {
    const std::string path = (std::filesystem::temp_directory_path() / ("cubind_log_" + std::to_string(getpid()))).string();
    setenv("CUBIND_FAULTS_LOG", path.c_str(), 1);
    EXPECT_EXIT(sweep_without_room_for_the_log(), ::testing::ExitedWithCode(1), "");
    EXPECT_EQ(faults::fail_each_call([] { cuInit(0); }), 1u);
    std::string line;
    std::ifstream file(path);
    EXPECT_TRUE(std::getline(file, line));
    EXPECT_EQ(line, "cuInit");
    EXPECT_FALSE(std::getline(file, line));
    unsetenv("CUBIND_FAULTS_LOG");
    std::filesystem::remove(path);
}

TEST_F(SweepTest, WorksWithOtherLayers) {
    faults::start();
    layers::trace::start({.memory = 1 << 16});
    faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY, 2);
    int failures = 0;
    EXPECT_EQ(faults::fail_each_call([&] { failures += cuMemAlloc(64).ok() ? 0 : 1; }), 1u);
    EXPECT_EQ(failures, 1) << "the call that the sweep failed never reached the layer below";
    EXPECT_EQ(cuMemAlloc(64).status, CUDA_ERROR_OUT_OF_MEMORY);
}

}  // namespace
}  // namespace cubind::testing
