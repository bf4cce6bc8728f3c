// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "machine/machine.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using SimStreamOrderTest = SimTest;

// Submits work like a call that looked up the context before another thread destroyed it.
CUresult submit_late(cubind::sim::Context& context, std::atomic<int>& done) {
    return context.order.submit(*context.order.legacy(), [&] { done.fetch_add(1); });
}

TEST_F(SimStreamOrderTest, RejectsWorkOfADestroyedContext) {
    const auto found = cubind::sim::machine().contexts.find(context);
    ASSERT_NE(found, nullptr);
    std::atomic<int> done{0};
    EXPECT_EQ(submit_late(*found, done), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    EXPECT_EQ(done.load(), 1) << "destroying the context must wait for its work";
    EXPECT_EQ(submit_late(*found, done), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    cubind::sim::uninstall();
    EXPECT_EQ(done.load(), 1) << "rejected work must not run";
}

TEST_F(SimStreamOrderTest, AcceptsWorkOfAPrimaryContextThatIsRetainedAgain) {
    const auto found = cubind::sim::machine().contexts.find(cuDevicePrimaryCtxRetain(0).value);
    ASSERT_NE(found, nullptr);
    std::atomic<int> done{0};
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0).status, CUDA_SUCCESS);
    EXPECT_EQ(submit_late(*found, done), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(0).value, found->handle);
    EXPECT_EQ(submit_late(*found, done), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0).status, CUDA_SUCCESS);
    EXPECT_EQ(done.load(), 1);
}

TEST_F(SimStreamOrderTest, CallsNoHostFunctionAfterItsContextIsDestroyed) {
    struct Seen {
        std::atomic<bool> has_begun{false};
        std::atomic<bool> has_ended{false};
        std::atomic<int> late{0};
    };
    constexpr int rounds = 100;
    for (int round = 0; round < rounds; ++round) {
        const CUcontext new_context = cuCtxCreate_v2(0, 0).value;
        Seen seen;
        std::thread submitting([&] {
            EXPECT_EQ(cuCtxSetCurrent(new_context).status, CUDA_SUCCESS);
            CUresult status = CUDA_SUCCESS;
            while (status == CUDA_SUCCESS) {
                const auto count_late_call = [](void* data) {
                    Seen& seen_by_call = *static_cast<Seen*>(data);
                    seen_by_call.late.fetch_add(seen_by_call.has_ended.load() ? 1 : 0);
                };
                status = cuLaunchHostFunc(nullptr, count_late_call, &seen).status;
                seen.has_begun.store(true);
                seen.has_begun.notify_one();
            }
            EXPECT_EQ(status, CUDA_ERROR_CONTEXT_IS_DESTROYED);
        });
        seen.has_begun.wait(false);
        EXPECT_EQ(cuCtxDestroy(new_context).status, CUDA_SUCCESS);
        seen.has_ended.store(true);
        submitting.join();
        cubind::sim::install({.devices = 2});  // waits for all remaining work
        EXPECT_EQ(seen.late.load(), 0);
        ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    }
}

TEST_F(SimStreamOrderTest, RetainsMemoryWhoseFreeIsCanceled) {
    const CUdeviceptr memory = cuMemAllocAsync(256, nullptr).value;
    auto& map = cubind::sim::machine().memory;
    const auto found = map.find(memory);
    ASSERT_TRUE(map.begin_free(memory));
    EXPECT_FALSE(map.begin_free(memory)) << "freed twice";
    map.cancel_free(*found);
    EXPECT_EQ(cuMemFreeAsync(memory, nullptr).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
