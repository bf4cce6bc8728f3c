// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/failure.hpp>

#include <atomic>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

namespace faults = layers::faults;

class FaultsTest : public SimulatedTest {
protected:
    void SetUp() override {
        SimulatedTest::SetUp();
        faults::start();
    }
    static std::vector<CUresult> allocate(int times) {
        std::vector<CUresult> statuses;
        for (int time = 0; time < times; ++time) {
            const auto [status, memory] = cuMemAlloc(16);
            statuses.push_back(status);
            if (status == CUDA_SUCCESS) {
                EXPECT_NE(memory, 0u);
            } else {
                EXPECT_EQ(memory, 0u) << "nothing is written";
            }
        }
        return statuses;
    }
};

TEST_F(FaultsTest, FailsTheNthCall) {
    faults::fail("cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY, 3);
    EXPECT_THAT(allocate(5), ElementsAre(CUDA_SUCCESS, CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, CUDA_SUCCESS, CUDA_SUCCESS));
    faults::fail("cuMemAlloc_v2", CUDA_ERROR_UNKNOWN);
    EXPECT_THAT(allocate(2), ElementsAre(CUDA_ERROR_UNKNOWN, CUDA_SUCCESS)) << "from now on";
}

TEST_F(FaultsTest, FailsEveryCall) {
    faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY, faults::every_call);
    EXPECT_THAT(allocate(3), ElementsAre(CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY));
    EXPECT_TRUE(cuMemAllocPitch(4, 4, 4).ok()) << "another function";
    faults::clear();
    EXPECT_THAT(allocate(1), ElementsAre(CUDA_SUCCESS));
    EXPECT_EQ(faults::calls("cuMemAlloc"), 4u) << "counts are not reset";
}

TEST_F(FaultsTest, DoesNotReachTheDriver) {
    const auto before = cuMemGetInfo();
    faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY);
    cuMemAlloc(1 << 20);
    EXPECT_EQ(cuMemGetInfo().value1, before.value1);
    EXPECT_STREQ(cubind::last_failure().function, "cuMemAlloc_v2");
    EXPECT_EQ(cubind::last_failure().status, CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(FaultsTest, SelectsFunctionsBySymbolAndByName) {
    faults::fail("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED, 2);
    EXPECT_TRUE(cuStreamSynchronize(nullptr).ok());
    EXPECT_EQ(cuStreamSynchronize_ptsz(nullptr).status, CUDA_ERROR_LAUNCH_FAILED) << "calls of both functions count";
    faults::fail("cuStreamSynchronize_ptsz", CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_TRUE(cuStreamSynchronize(nullptr).ok());
    EXPECT_EQ(cuStreamSynchronize_ptsz(nullptr).status, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(faults::calls("cuStreamSynchronize"), 4u);
    EXPECT_EQ(faults::calls("cuStreamSynchronize_ptsz"), 2u);
}

TEST_F(FaultsTest, CountsCallsForEachFault) {
    faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY, 1);
    faults::fail("cuMemAlloc", CUDA_ERROR_UNKNOWN, 2);
    faults::fail("cuMemAlloc", CUDA_ERROR_INVALID_VALUE, 2);
    EXPECT_THAT(allocate(3), ElementsAre(CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_UNKNOWN, CUDA_SUCCESS))
        << "the first fault applies";
}

TEST_F(FaultsTest, RejectsFunctionsThatCannotFail) {
    EXPECT_THROW(faults::fail("cuMemAllloc", CUDA_ERROR_UNKNOWN), std::invalid_argument);
    EXPECT_THROW(faults::fail("", CUDA_ERROR_UNKNOWN), std::invalid_argument);
    EXPECT_THROW(faults::fail("nvrtcGetErrorString", 1), std::invalid_argument);
    EXPECT_THROW(faults::calls("cuMemAllloc"), std::invalid_argument);
    EXPECT_THROW(faults::calls("cuMem"), std::invalid_argument);
}

TEST_F(FaultsTest, DestroysObjectsDespiteTheFault) {
    const CUstream stream = cuStreamCreate(0).value;
    const CUdeviceptr memory = cuMemAlloc(64).value;
    faults::fail("cuStreamDestroy", CUDA_ERROR_LAUNCH_FAILED);
    faults::fail("cuMemFree", CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(FaultsTest, DiscardsFaultsAndCountsOnStop) {
    faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY, faults::every_call);
    allocate(2);
    faults::stop();
    EXPECT_THAT(allocate(1), ElementsAre(CUDA_SUCCESS));
    faults::start();
    EXPECT_THAT(allocate(1), ElementsAre(CUDA_SUCCESS));
    EXPECT_EQ(faults::calls("cuMemAlloc"), 1u);
}

TEST_F(FaultsTest, CountsCallsOfAllThreads) {
    std::atomic<int> failed{0};
    for (unsigned long call = 100; call <= 300; call += 100) faults::fail("cuDeviceGetCount", CUDA_ERROR_UNKNOWN, call);
    in_threads(4, [&](int index) {
        for (int times = 0; times < 100; ++times) {
            if (!cuDeviceGetCount().ok()) failed.fetch_add(1);
            if (index == 0 && times % 10 == 0) faults::fail("cuMemAlloc", CUDA_ERROR_UNKNOWN, 1000000);
        }
    });
    EXPECT_EQ(failed.load(), 3);
    EXPECT_EQ(faults::calls("cuDeviceGetCount"), 400u);
}

}  // namespace
}  // namespace cubind::testing
