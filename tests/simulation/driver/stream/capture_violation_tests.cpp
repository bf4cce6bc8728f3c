// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <thread>

#include "graph_test.hpp"
#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

class SimCaptureViolationTest : public GraphTest {
protected:
    using Call = std::function<CUresult()>;

    void SetUp() override {
        GraphTest::SetUp();
        first = create_stream();
        second = create_stream();
        memory = allocate(4096);
    }
    /// Returns the status of a call during a capture. `survives` is whether the capture remains valid.
    CUresult status_during(CUstreamCaptureMode mode, bool survives, const Call& call) const {
        EXPECT_EQ(cuStreamBeginCapture(first, mode).status, CUDA_SUCCESS);
        const CUresult status = call();
        EXPECT_EQ(capture_status(first), survives ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_INVALIDATED);
        const auto [ended, graph] = cuStreamEndCapture(first);
        EXPECT_EQ(ended, survives ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        EXPECT_EQ(graph != nullptr, survives);
        EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_NONE);
        return status;
    }

    CUstream first = nullptr;
    CUstream second = nullptr;
    CUdeviceptr memory = 0;
};

constexpr CUstreamCaptureMode global = CU_STREAM_CAPTURE_MODE_GLOBAL;
constexpr CUstreamCaptureMode thread_local_mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
constexpr CUstreamCaptureMode relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;

TEST_F(SimCaptureViolationTest, RejectsUnsafeCallsUnlessTheModeIsRelaxed) {
    const CUevent event = create_event();
    void* const host = cuMemAllocHost(64).value;
    static char registered[4096];
    const CUdeviceptr in_order = cuMemAllocAsync(64, second).value;
    const CUlibrary library = cuLibraryLoadData(test_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0).value;
    CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = access.location;
    const CUmemoryPool pool = cuMemPoolCreate(&properties).value;
    cuuint64_t threshold = 0;
    const std::vector<Call> calls = {
        [&] { return cuStreamSynchronize(second).status; },
        [&] { return cuStreamQuery(second).status; },
        [&] { return cuEventQuery(event).status; },
        [&] { return cuEventSynchronize(event).status; },
        [&] { return cuMemAlloc(64).status; },
        [&] { return cuMemAllocPitch(64, 2, 4).status; },
        [&] { return cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).status; },
        [&] { return cuMemAllocHost(64).status; },
        [&] { return cuMemHostRegister(registered, sizeof registered, 0).status; },
        [&] { return cuMemHostUnregister(registered).status; },
        [&] { return cuMemAllocAsync(64, second).status; },
        [&] { return cuMemAllocFromPoolAsync(0, pool, second).status; },
        [&] { return cuMemFreeAsync(in_order, second).status; },
        [&] { return cuMemFreeAsync(0, second).status; },
        [&] { return cuMemPoolCreate(&properties).status; },
        [&] { return cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold).status; },
        [&] { return cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold).status; },
        [&] { return cuMemPoolSetAccess(pool, &access, 1).status; },
        [&] { return cuMemPoolGetAccess(pool, &access.location).status; },
        [&] { return cuMemPoolTrimTo(pool, 0).status; },
        [&] { return cuDeviceSetMemPool(0, pool).status; },
        [&] { return cuMemPoolDestroy(pool).status; },
        [&] { return cuLibraryUnload(library).status; },
        [&] { return cuGraphInstantiateWithFlags(create_graph(), 0).status; },
        [&] { return cuMemFreeHost(host).status; },
        [&] { return cuMemFree(memory).status; },
    };
    for (const CUstreamCaptureMode mode : {global, thread_local_mode}) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            EXPECT_EQ(status_during(mode, false, calls[i]), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) << mode << ' ' << i;
        }
    }
    for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(status_during(relaxed, true, calls[i]), CUDA_SUCCESS) << i;
}

TEST_F(SimCaptureViolationTest, InvalidatesTheCaptureForCallsThatCannotBeCaptured) {
    const CUdeviceptr managed = cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value;
    const CUgraphExec exec = instantiate(create_graph());
    const std::vector<Call> calls = {
        [&] { return cuStreamSynchronize(first).status; },
        [&] { return cuStreamQuery(first).status; },
        [&] { return cuCtxSynchronize().status; },
        [&] {
            return cuStreamAddCallback(
                       first, [](CUstream, CUresult, void*) {}, nullptr, 0)
                .status;
        },
        [&] { return cuStreamAttachMemAsync(first, managed, 0, CU_MEM_ATTACH_SINGLE).status; },
        [&] { return cuGraphUpload(exec, first).status; },
        [&] { return cuGraphLaunch(exec, first).status; },
    };
    for (const CUstreamCaptureMode mode : {global, thread_local_mode, relaxed}) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            EXPECT_EQ(status_during(mode, false, calls[i]), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) << mode << ' ' << i;
        }
    }
}

TEST_F(SimCaptureViolationTest, AllowsOtherCalls) {
    std::uint8_t byte = 0;
    const std::vector<Call> calls = {
        [&] { return cuMemGetInfo().status; },
        [&] { return cuMemcpyDtoH(&byte, memory, 1).status; },
        [&] { return cuMemsetD8Async(memory, 1, 4, nullptr).status; },
        [&] { return cuEventCreate(0).status; },
        [&] { return cuStreamCreate(CU_STREAM_NON_BLOCKING).status; },
        [&] { return cuMemsetD8Async(memory + 64, 1, 4, second).status; },
        [&] { return cuStreamGetPriority(first).status; },
    };
    for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(status_during(global, true, calls[i]), CUDA_SUCCESS) << i;
    EXPECT_EQ(status_during(global, true, [&] { return cuLaunchHostFunc(first, nullptr, nullptr).status; }),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_during(global, true, [&] { return cuStreamBeginCapture(first, global).status; }), CUDA_ERROR_ILLEGAL_STATE);
}

TEST_F(SimCaptureViolationTest, UsesTheModeOfTheCallingThread) {
    const auto in_another_thread = [](const Call& call) {
        CUresult status = CUDA_SUCCESS;
        std::thread([&] { status = call(); }).join();
        return status;
    };
    const Call allocate_memory = [&] {
        EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
        return cuMemAlloc(64).status;
    };
    const Call allocate_memory_relaxed = [&] {
        EXPECT_EQ(cuThreadExchangeStreamCaptureMode(relaxed).value, global);
        return allocate_memory();
    };
    EXPECT_EQ(status_during(global, false, [&] { return in_another_thread(allocate_memory); }),
              CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(status_during(thread_local_mode, true, [&] { return in_another_thread(allocate_memory); }), CUDA_SUCCESS);
    EXPECT_EQ(status_during(global, true, [&] { return in_another_thread(allocate_memory_relaxed); }), CUDA_SUCCESS);
    EXPECT_EQ(cuThreadExchangeStreamCaptureMode(thread_local_mode).value, global);
    EXPECT_EQ(status_during(global, false, allocate_memory), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuThreadExchangeStreamCaptureMode(relaxed).value, thread_local_mode);
    EXPECT_EQ(status_during(global, true, allocate_memory), CUDA_SUCCESS);
    EXPECT_EQ(cuThreadExchangeStreamCaptureMode(global).value, relaxed);
}

TEST_F(SimCaptureViolationTest, RejectsAnEndInAnotherThreadUnlessRelaxed) {
    for (const CUstreamCaptureMode mode : {global, thread_local_mode, relaxed}) {
        ASSERT_EQ(cuStreamBeginCapture(first, mode).status, CUDA_SUCCESS);
        std::thread([&] {
            EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
            const auto [status, graph] = cuStreamEndCapture(first);
            EXPECT_EQ(status, mode == relaxed ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
            EXPECT_EQ(graph != nullptr, mode == relaxed);
        }).join();
        EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_NONE);
        EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_ILLEGAL_STATE);
    }
}

TEST_F(SimCaptureViolationTest, RejectsInvalidBeginnings) {
    EXPECT_EQ(cuStreamBeginCapture(nullptr, global).status, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuStreamBeginCapture(first, static_cast<CUstreamCaptureMode>(7)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamBeginCapture(reinterpret_cast<CUstream>(64), global).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_ILLEGAL_STATE);
}

TEST_F(SimCaptureViolationTest, RejectsWorkThatIsNotJoined) {
    const CUevent fork = create_event();
    const CUevent join = create_event();
    const auto branch = [&] {
        ASSERT_EQ(cuStreamBeginCapture(first, global).status, CUDA_SUCCESS);
        ASSERT_EQ(cuEventRecord(fork, first).status, CUDA_SUCCESS);
        ASSERT_EQ(cuStreamWaitEvent(second, fork, 0).status, CUDA_SUCCESS);
    };
    branch();
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_SUCCESS) << "the branch has no work";
    branch();
    ASSERT_EQ(cuMemsetD8Async(memory, 1, 4, second).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    EXPECT_EQ(capture_status(second), CU_STREAM_CAPTURE_STATUS_NONE);
    branch();
    ASSERT_EQ(cuEventRecord(join, second).status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD8Async(memory, 1, 4, second).status, CUDA_SUCCESS);
    ASSERT_EQ(cuStreamWaitEvent(first, join, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_STREAM_CAPTURE_UNJOINED) << "the work was enqueued after the event";
    branch();
    EXPECT_EQ(cuStreamBeginCapture(second, global).status, CUDA_ERROR_ILLEGAL_STATE);
    EXPECT_EQ(cuStreamEndCapture(second).status, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(capture_status(second), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(SimCaptureViolationTest, RejectsCapturedEventsOutsideTheCapture) {
    const CUevent event = create_event();
    const auto after_recording = [&](const Call& call) {
        return [&, call] {
            EXPECT_EQ(cuEventRecord(event, first).status, CUDA_SUCCESS);
            return call();
        };
    };
    EXPECT_EQ(status_during(relaxed, false, after_recording([&] { return cuEventQuery(event).status; })),
              CUDA_ERROR_CAPTURED_EVENT);
    EXPECT_EQ(status_during(relaxed, false, after_recording([&] { return cuEventSynchronize(event).status; })),
              CUDA_ERROR_CAPTURED_EVENT);
    EXPECT_EQ(status_during(relaxed, true, after_recording([&] { return cuEventElapsedTime(event, event).status; })),
              CUDA_ERROR_CAPTURED_EVENT);
    EXPECT_EQ(status_during(relaxed, false, after_recording([&] { return cuStreamWaitEvent(nullptr, event, 0).status; })),
              CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    EXPECT_EQ(status_during(relaxed, true, after_recording([&] { return cuEventDestroy(event).status; })), CUDA_SUCCESS);
}

TEST_F(SimCaptureViolationTest, RejectsWaitsForEventsRecordedOutside) {
    const CUevent outside = create_event();
    EXPECT_EQ(status_during(global, true, [&] { return cuStreamWaitEvent(first, outside, 0).status; }), CUDA_SUCCESS)
        << "never recorded";
    ASSERT_EQ(cuEventRecord(outside, second).status, CUDA_SUCCESS);
    EXPECT_EQ(status_during(global, false, [&] { return cuStreamWaitEvent(first, outside, 0).status; }),
              CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    ASSERT_EQ(cuStreamBeginCapture(second, relaxed).status, CUDA_SUCCESS);
    ASSERT_EQ(cuEventRecord(outside, second).status, CUDA_SUCCESS);
    EXPECT_EQ(status_during(relaxed, false, [&] { return cuStreamWaitEvent(first, outside, 0).status; }),
              CUDA_ERROR_STREAM_CAPTURE_MERGE);
    EXPECT_EQ(cuStreamEndCapture(second).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(SimCaptureViolationTest, RejectsUseOfTheLegacyStreamDuringABlockingCapture) {
    const CUstream blocking = create_stream(CU_STREAM_DEFAULT);
    const CUevent event = create_event();
    std::uint8_t byte = 0;
    const std::vector<Call> calls = {
        [&] { return cuMemsetD8Async(memory, 1, 4, nullptr).status; },
        [&] { return cuStreamSynchronize(nullptr).status; },
        [&] { return cuStreamQuery(nullptr).status; },
        [&] { return cuEventRecord(event, nullptr).status; },
        [&] { return cuMemcpyDtoH(&byte, memory, 1).status; },
        [&] { return cuLaunchHostFunc(nullptr, CallLog::record, nullptr).status; },
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
        ASSERT_EQ(cuStreamBeginCapture(blocking, relaxed).status, CUDA_SUCCESS);
        EXPECT_EQ(calls[i](), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) << i;
        EXPECT_EQ(cuStreamEndCapture(blocking).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) << i;
    }
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 4, nullptr).status, CUDA_SUCCESS);
}

TEST_F(SimCaptureViolationTest, RejectsCallsAfterTheFirstViolation) {
    ASSERT_EQ(cuStreamBeginCapture(first, relaxed).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(first).status, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 4, first).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuEventRecord(create_event(), first).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuMemAllocAsync(64, first).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_ILLEGAL_STATE);
}

}  // namespace
}  // namespace cubind::testing
