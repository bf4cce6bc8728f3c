// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

namespace leaks = layers::leaks;

class LeaksTest : public SimulatedTest {
protected:
    void SetUp() override {
        SimulatedTest::SetUp();
        leaks::start();
    }
    static std::vector<std::string> kinds(leaks::Checkpoint since = {}) {
        std::vector<std::string> kinds;
        for (const auto& each : leaks::outstanding(since)) kinds.push_back(each.kind);
        return kinds;
    }
};

TEST_F(LeaksTest, ListsObjectsWithTheirCalls) {
    const CUdeviceptr memory = cuMemAlloc(64).value;
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const auto all = leaks::outstanding();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].kind, "device memory");
    EXPECT_EQ(all[0].value, memory);
    EXPECT_EQ(all[0].references, 1u);
    EXPECT_EQ(all[0].library, "driver");
    EXPECT_EQ(all[0].call, "cuMemAlloc_v2(bytesize=64)");
    EXPECT_EQ(all[1].kind, "stream");
    EXPECT_EQ(all[1].value, reinterpret_cast<std::uintptr_t>(stream));
    EXPECT_EQ(all[1].call, "cuStreamCreate(Flags=1)");
    EXPECT_LE(all[0].time, all[1].time);
    EXPECT_THAT(leaks::report(),
                ::testing::MatchesRegex(
                    "device memory 0x[0-9a-f]+ from driver cuMemAlloc_v2\\(bytesize=64\\) in thread [0-9]+ at [0-9.]+ s\n"
                    "stream 0x[0-9a-f]+ from driver cuStreamCreate\\(Flags=1\\) in thread [0-9]+ at [0-9.]+ s\n"));
    cuMemFree(memory);
    cuStreamDestroy(stream);
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LeaksTest, ListsObjectsSinceACheckpoint) {
    cuMemAlloc(1);
    const auto before = leaks::checkpoint();
    EXPECT_EQ(leaks::report(before), "");
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_THAT(kinds(before), ElementsAre("stream"));
    const auto after = leaks::checkpoint();
    cuEventCreate(0);
    EXPECT_THAT(kinds(after), ElementsAre("event"));
    cuStreamDestroy(stream);
    EXPECT_THAT(kinds(before), ElementsAre("event"));
    EXPECT_THAT(kinds(), ElementsAre("device memory", "event"));
}

TEST_F(LeaksTest, IgnoresFailedCreations) {
    EXPECT_EQ(cuMemAlloc(std::size_t{1} << 40).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LeaksTest, ListsObjectsAfterFailedDestructions) {
    const CUdeviceptr memory = cuMemAlloc(64).value;
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_EQ(cuMemFree(memory + 1).status, CUDA_ERROR_INVALID_VALUE);
    FunctionLayer rejecting([](const cubind::Call& call, const layers::Next&) { call.status() = CUDA_ERROR_LAUNCH_FAILED; });
    layers::push(rejecting);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_LAUNCH_FAILED);
    layers::remove(rejecting);
    EXPECT_EQ(kinds().size(), 2u) << "the call did not reach the driver";
    cuCtxSetCurrent(nullptr);
    const CUresult status = cuMemFree(memory).status;
    cuCtxSetCurrent(context);
    const bool is_freed = status == CUDA_SUCCESS;
    EXPECT_EQ(kinds().size(), is_freed ? 1u : 2u) << "without a context: " << to_string(status);
    cuMemFree(memory);
    cuStreamDestroy(stream);
    cuStreamDestroy(stream);
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LeaksTest, RemovesObjectsWhoseDestructionGetsAFault) {
    layers::faults::start();
    layers::faults::fail("cuStreamDestroy", CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_FALSE(cuStreamDestroy(cuStreamCreate(0).value).ok());
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LeaksTest, RemovesObjectsWithTheirContext) {
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    cuMemAlloc(16);
    cuStreamCreate(0);
    cuEventCreate(0);
    cuMemHostAlloc(16, 0);
    cuCtxSetCurrent(context);
    cuMemAlloc(32);
    EXPECT_EQ(kinds().size(), 6u);
    EXPECT_TRUE(cuCtxDestroy(second).ok());
    EXPECT_THAT(kinds(), ElementsAre("device memory")) << "the memory of the other context remains";
}

TEST_F(LeaksTest, RemovesObjectsOfAContextFromBeforeTheStart) {
    cuMemAlloc(16);
    cuStreamCreate(0);
    EXPECT_TRUE(cuCtxDestroy(context).ok());
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LeaksTest, CountsReferencesOfPrimaryContexts) {
    const CUcontext primary = cuDevicePrimaryCtxRetain(1).value;
    cuDevicePrimaryCtxRetain(1);
    auto all = leaks::outstanding();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].kind, "primary context");
    EXPECT_EQ(all[0].references, 2u);
    EXPECT_THAT(leaks::report(), HasSubstr(" (2 references) from driver cuDevicePrimaryCtxRetain(dev=1)"));
    cuCtxSetCurrent(primary);
    cuMemAlloc(16);
    cuDevicePrimaryCtxRelease(1);
    EXPECT_EQ(kinds().size(), 2u);
    cuDevicePrimaryCtxRelease(1);
    EXPECT_EQ(leaks::report(), "") << "the memory is destroyed with its context";
    EXPECT_FALSE(cuDevicePrimaryCtxRelease(1).ok());
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LeaksTest, RemovesObjectsOfAResetPrimaryContext) {
    const auto before = leaks::checkpoint();
    cuMemAlloc(64);
    cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value);
    cuMemAlloc(16);
    cuStreamCreate(0);
    EXPECT_TRUE(cuDevicePrimaryCtxReset(1).ok()) << "the context of another device";
    EXPECT_EQ(kinds(before).size(), 4u);
    EXPECT_TRUE(cuDevicePrimaryCtxReset(0).ok());
    EXPECT_THAT(kinds(before), ::testing::UnorderedElementsAre("device memory", "primary context"));
}

TEST_F(LeaksTest, DoesNotListGraphsThatExistBeforeACapture) {
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUgraph graph = cuGraphCreate(0).value;
    leaks::stop();
    leaks::start();  // forgets the graph
    const auto mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    ASSERT_EQ(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, mode).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamEndCapture(stream).value, graph);
    EXPECT_EQ(leaks::report(), "");
    ASSERT_EQ(cuStreamBeginCapture(stream, mode).status, CUDA_SUCCESS);
    const CUgraph created = cuStreamEndCapture(stream).value;
    EXPECT_EQ(kinds(), std::vector<std::string>{"graph"});
    EXPECT_EQ(cuGraphDestroy(created).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_SUCCESS);
}

TEST_F(LeaksTest, DiscardsObjectsOnStop) {
    cuStreamCreate(0);
    leaks::stop();
    EXPECT_EQ(leaks::report(), "");
    cuStreamCreate(0);
    EXPECT_EQ(leaks::report(), "") << "the layer is stopped";
    leaks::start();
    leaks::start();
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_THAT(kinds(), ElementsAre("stream"));
    cuStreamDestroy(stream);
    EXPECT_EQ(leaks::report(), "");
    leaks::stop();
    cuStreamCreate(0);
    leaks::start();
    EXPECT_EQ(leaks::report(), "") << "one stop is enough";
}

TEST_F(LeaksTest, ListsObjectsOfManyThreads) {
    in_threads(4, [this](int) {
        ASSERT_TRUE(cuCtxSetCurrent(context).ok());
        for (int times = 0; times < 200; ++times) {
            const CUdeviceptr memory = cuMemAlloc(16).value;
            const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
            cuMemFree(memory);
            if (times % 100 != 0) cuStreamDestroy(stream);
            if (times % 50 == 0) leaks::report(leaks::checkpoint());
        }
    });
    EXPECT_EQ(kinds().size(), 8u);
    EXPECT_THAT(kinds(), ::testing::Each("stream"));
}

TEST_F(LeaksTest, StartsAndStopsInManyThreads) {
    in_threads(4, [](int) {
        for (int times = 0; times < 100; ++times) {
            leaks::start();
            leaks::stop();
        }
    });
    leaks::stop();
    cuStreamCreate(0);
    leaks::start();
    EXPECT_EQ(leaks::report(), "");
}

}  // namespace
}  // namespace cubind::testing
