// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using SimStreamTest = SimTest;

TEST_F(SimStreamTest, RunsConcurrentlyWithTheCaller) {
    const CUstream stream = create_stream();
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_SUCCESS);
    Gate gate(stream);
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_ERROR_NOT_READY);
    gate.open();
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_SUCCESS);
}

TEST_F(SimStreamTest, RunsWorkInOrder) {
    const CUstream stream = create_stream();
    std::vector<int> order;
    struct Step {
        std::vector<int>* order;
        int number;
    };
    std::vector<Step> steps;
    for (int i = 0; i < 100; ++i) steps.push_back({&order, i});
    const auto append_number = [](void* data) {
        const Step& step = *static_cast<Step*>(data);
        step.order->push_back(step.number);
    };
    for (Step& step : steps) EXPECT_EQ(cuLaunchHostFunc(stream, append_number, &step).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    ASSERT_EQ(order.size(), 100u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(SimStreamTest, ReadsPinnedMemoryInStreamOrder) {
    const CUstream stream = create_stream();
    const CUdeviceptr memory = allocate(4);
    int* const pinned = static_cast<int*>(cuMemHostAlloc(sizeof(int), 0).value);
    int pageable = 1;
    *pinned = 1;
    const CUdeviceptr other = allocate(4);
    {
        Gate gate(stream);
        EXPECT_EQ(cuMemcpyHtoDAsync(memory, pinned, 4, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemcpyHtoDAsync(other, &pageable, 4, stream).status, CUDA_SUCCESS);
        *pinned = 2;
        pageable = 2;
    }
    int found[2] = {};
    EXPECT_EQ(cuMemcpyDtoH(&found[0], memory, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(&found[1], other, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found[0], 2);
    EXPECT_EQ(found[1], 1) << "pageable memory is read before the call returns";
}

TEST_F(SimStreamTest, SynchronizesTheLegacyStreamWithBlockingStreamsOnly) {
    const CUstream blocking = create_stream(CU_STREAM_DEFAULT);
    const CUstream nonblocking = create_stream(CU_STREAM_NON_BLOCKING);
    Gate first(nonblocking);
    EXPECT_EQ(cuStreamQuery(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(allocate(4), 0, 4).status, CUDA_SUCCESS);
    Gate second(blocking);
    EXPECT_EQ(cuStreamQuery(nullptr).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuStreamQuery(CU_STREAM_LEGACY).status, CUDA_ERROR_NOT_READY);
    const CUdeviceptr memory = allocate(4);
    EXPECT_EQ(cuMemsetD32Async(memory, 1, 1, nullptr).status, CUDA_SUCCESS);
    const CUstream later = create_stream(CU_STREAM_DEFAULT);
    EXPECT_EQ(cuMemsetD32Async(memory, 2, 1, later).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(later).status, CUDA_ERROR_NOT_READY) << "blocking streams wait for the legacy one";
    second.open();
    EXPECT_EQ(cuStreamSynchronize(later).status, CUDA_SUCCESS);
    int found = 0;
    EXPECT_EQ(cuMemcpyDtoH(&found, memory, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 2);
}

TEST_F(SimStreamTest, HasOneDefaultStreamPerThread) {
    const CUdeviceptr memory = allocate(4);
    Gate gate(CU_STREAM_PER_THREAD);
    EXPECT_EQ(cuStreamQuery_ptsz(nullptr).status, CUDA_ERROR_NOT_READY);
    std::thread([&] {
        EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamQuery_ptsz(nullptr).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemsetD32Async_ptsz(memory, 3, 1, nullptr).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize_ptsz(nullptr).status, CUDA_SUCCESS);
    }).join();
}

TEST_F(SimStreamTest, FinishesItsWorkAfterItIsDestroyed) {
    const CUstream stream = create_stream();
    const CUdeviceptr memory = allocate(4);
    const CUevent done = create_event();
    std::atomic<bool> may_continue = false;
    const auto wait = [](void* data) { static_cast<std::atomic<bool>*>(data)->wait(false); };
    EXPECT_EQ(cuLaunchHostFunc(stream, wait, &may_continue).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32Async(memory, 9, 1, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(done, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemsetD32Async(memory, 1, 1, stream).status, CUDA_ERROR_INVALID_HANDLE);
    may_continue.store(true);
    may_continue.notify_all();
    EXPECT_EQ(cuEventSynchronize(done).status, CUDA_SUCCESS);
    int found = 0;
    EXPECT_EQ(cuMemcpyDtoH(&found, memory, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 9);
}

TEST_F(SimStreamTest, RejectsDriverCallsInHostFunctions) {
    const CUstream stream = create_stream();
    CUresult status = CUDA_SUCCESS;
    const auto call = [](void* data) { *static_cast<CUresult*>(data) = cuCtxSynchronize().status; };
    EXPECT_EQ(cuLaunchHostFunc(stream, call, &status).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(status, CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(SimStreamTest, SubmitsFillsRecordsAndHostFunctionsInHostFunctions) {
    struct Calls {
        CUstream stream = create_stream();
        CUevent event = create_event();
        CUdeviceptr memory = allocate(4);
        std::vector<CUresult> statuses;
        bool is_later_called = false;
    } calls;
    const auto call = [](void* data) {
        Calls& all = *static_cast<Calls*>(data);
        all.statuses = {cuMemsetD32Async(all.memory, 9, 1, all.stream).status, cuEventQuery(all.event).status,
                        cuEventRecord(all.event, all.stream).status};
        const auto later = [](void* flag) { *static_cast<bool*>(flag) = true; };
        all.statuses.push_back(cuLaunchHostFunc(all.stream, later, &all.is_later_called).status);
        all.statuses.push_back(cuMemAlloc(4).status);
    };
    EXPECT_EQ(cuLaunchHostFunc(calls.stream, call, &calls).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(calls.stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(calls.stream).status, CUDA_SUCCESS) << "of the work that the host function submitted";
    EXPECT_EQ(calls.statuses,
              (std::vector<CUresult>{CUDA_SUCCESS, CUDA_SUCCESS, CUDA_SUCCESS, CUDA_SUCCESS, CUDA_ERROR_NOT_PERMITTED}));
    EXPECT_TRUE(calls.is_later_called);
    EXPECT_EQ(cuEventSynchronize(calls.event).status, CUDA_SUCCESS);
    int found = 0;
    EXPECT_EQ(cuMemcpyDtoH(&found, calls.memory, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 9);
}

TEST_F(SimStreamTest, CallsCallbacksButNoHostFunctionsAfterAFault) {
    struct Seen {
        std::atomic<bool> may_continue{false};
        std::atomic<bool> is_over{false};
        CUresult before = CUDA_ERROR_UNKNOWN;
        CUresult after = CUDA_SUCCESS;
        bool is_called = false;
    } seen;
    const CUstream stream = create_stream();
    const auto launch = [&](CUhostFn function) { EXPECT_EQ(cuLaunchHostFunc(stream, function, &seen).status, CUDA_SUCCESS); };
    launch([](void* data) { static_cast<Seen*>(data)->may_continue.wait(false); });
    const auto store_before = [](CUstream, CUresult status, void* data) { static_cast<Seen*>(data)->before = status; };
    EXPECT_EQ(cuStreamAddCallback(stream, store_before, &seen, 0).status, CUDA_SUCCESS);
    launch([](void*) { throw std::runtime_error("a fault"); });
    launch([](void* data) { static_cast<Seen*>(data)->is_called = true; });
    const auto store_after = [](CUstream, CUresult status, void* data) {
        static_cast<Seen*>(data)->after = status;
        static_cast<Seen*>(data)->is_over.store(true);
        static_cast<Seen*>(data)->is_over.notify_all();
    };
    EXPECT_EQ(cuStreamAddCallback(stream, store_after, &seen, 0).status, CUDA_SUCCESS);
    seen.may_continue.store(true);
    seen.may_continue.notify_all();
    seen.is_over.wait(false);
    EXPECT_EQ(seen.before, CUDA_SUCCESS);
    EXPECT_EQ(seen.after, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_FALSE(seen.is_called);
}

TEST_F(SimStreamTest, ReportsItsProperties) {
    const CUstream stream = cuStreamCreateWithPriority(CU_STREAM_NON_BLOCKING, -100).value;
    EXPECT_EQ(cuStreamGetPriority(stream).value, cuCtxGetStreamPriorityRange().value2);
    EXPECT_EQ(cuStreamGetFlags(stream).value, static_cast<unsigned>(CU_STREAM_NON_BLOCKING));
    EXPECT_EQ(cuStreamGetCtx(stream).value, context);
    EXPECT_EQ(cuStreamGetDevice(stream).value, 0);
    EXPECT_NE(cuStreamGetId(stream).value, cuStreamGetId(nullptr).value);
    EXPECT_EQ(cuStreamIsCapturing(stream).value, CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_EQ(cuStreamCreate(2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamQuery(reinterpret_cast<CUstream>(0x1234)).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuStreamQuery(reinterpret_cast<CUstream>(context)).status, CUDA_ERROR_INVALID_HANDLE) << "a handle of another type";
}

TEST_F(SimStreamTest, FinishesItsWorkBeforeMemoryIsFreed) {
    const CUstream stream = create_stream();
    const CUdeviceptr memory = allocate(std::size_t{1} << 20);
    int* const pinned = static_cast<int*>(cuMemHostAlloc(std::size_t{1} << 20, 0).value);
    EXPECT_EQ(cuMemsetD32Async(memory, 7, 1 << 18, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoHAsync(pinned, memory, std::size_t{1} << 20, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(pinned[(1 << 18) - 1], 7);
}

std::size_t threads_of_the_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST_F(SimStreamTest, HasAThreadOnlyWhileItHasWork) {
    constexpr std::size_t max_threads = 64;
    const CUdeviceptr memory = allocate(64);
    std::vector<CUstream> streams(2000);
    for (CUstream& each : streams) {
        each = create_stream();
        EXPECT_EQ(cuMemsetD8Async(memory, 1, 64, each).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize(each).status, CUDA_SUCCESS);
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);  // a thread ends a moment after its work
    while (threads_of_the_process() >= max_threads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    EXPECT_LT(threads_of_the_process(), max_threads);
    for (const CUstream each : streams) EXPECT_EQ(cuStreamDestroy(each).status, CUDA_SUCCESS);
}

TEST_F(SimStreamTest, RunsOnManyThreads) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([this, t] {
            EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
            for (int i = 0; i < 50; ++i) {
                const CUstream stream = create_stream(i % 2 == 0 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
                const CUdeviceptr memory = cuMemAllocAsync(256, stream).value;
                EXPECT_EQ(cuMemsetD32Async(memory, static_cast<unsigned>(t * 100 + i), 64, stream).status, CUDA_SUCCESS);
                unsigned found[64] = {};
                EXPECT_EQ(cuMemcpyDtoHAsync(found, memory, sizeof found, stream).status, CUDA_SUCCESS);
                EXPECT_EQ(found[63], static_cast<unsigned>(t * 100 + i));
                EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
                EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_SUCCESS);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

}  // namespace
}  // namespace cubind::testing
