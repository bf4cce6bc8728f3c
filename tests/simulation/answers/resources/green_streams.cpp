// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resources/groups.hpp"

namespace answers {

namespace {

void do_nothing(void*) {}

}  // namespace

void ask_about_green_streams() {
    const CUcontext primary = use_device();
    const std::vector<CUdevResource> groups = groups_of(16, 2);
    if (groups.size() < 2) return;
    const CUgreenCtx green = create_green_context({groups[0]});
    for (const unsigned flags : {0u, 1u, 2u, 3u, 0x80000000u}) {
        ask(("cuGreenCtxStreamCreate flags " + std::to_string(flags)).c_str(),
            [&] { return cuGreenCtxStreamCreate(green, flags, 0); });
    }
    for (const int priority : {-99, -5, -1, 0, 1, 99}) {
        const auto stream = ask(("cuGreenCtxStreamCreate priority " + std::to_string(priority)).c_str(),
                                [&] { return cuGreenCtxStreamCreate(green, CU_STREAM_NON_BLOCKING, priority); });
        if (stream.ok()) ASK(cuStreamGetPriority(stream.value));
    }
    const CUstream stream = ASK(cuGreenCtxStreamCreate(green, CU_STREAM_NON_BLOCKING, 0)).value;
    const CUcontext view = cuCtxFromGreenCtx(green).value;
    ASK(cuStreamGetFlags(stream));
    ASK(cuStreamGetDevice(stream));
    ASK(cuStreamGetId(stream));
    ASK(cuStreamGetCtx(stream));
    REPORT(cuStreamGetCtx(stream).value == view);
    REPORT(cuStreamGetCtx(stream).value == primary);
    const auto both = ASK(cuStreamGetCtx_v2(stream));
    REPORT(both.value1 == view);
    REPORT(both.value1 == primary);
    REPORT(both.value2 == green);
    REPORT(cuStreamGetGreenCtx(stream).value == green);
    ASK(cuStreamGetDevResource(stream, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuStreamGetDevResource(stream, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG));
    ASK(cuLaunchHostFunc(stream, do_nothing, nullptr));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamQuery(stream));
    const CUdeviceptr memory = cuMemAlloc(64).value;
    ASK(cuMemsetD8Async(memory, 1, 64, stream));
    ASK(cuMemAllocAsync(64, stream));
    ASK(cuStreamSynchronize(stream));
    const CUstream plain = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    ASK(cuStreamCopyAttributes(plain, stream));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuMemsetD8Async(memory, 1, 64, stream));
    const CUgraph graph = ASK(cuStreamEndCapture(stream)).value;
    const CUgraphExec executable = ASK(cuGraphInstantiateWithFlags(graph, 0)).value;
    ASK(cuGraphLaunch(executable, stream));
    ASK(cuGraphLaunch(executable, plain));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamSynchronize(plain));
    const CUstream captured = cuGreenCtxStreamCreate(green, CU_STREAM_NON_BLOCKING, 0).value;
    ASK(cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuStreamDestroy(ASK(cuGreenCtxStreamCreate(green, CU_STREAM_NON_BLOCKING, 0)).value));
    ASK(cuGreenCtxDestroy(green));
    // The streams of a destroyed green context.
    ASK(cuStreamEndCapture(captured));
    ASK(cuStreamQuery(stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamGetFlags(stream));
    ASK(cuStreamGetPriority(stream));
    ASK(cuStreamGetDevice(stream));
    ASK(cuStreamGetId(stream));
    ASK(cuStreamGetCtx(stream));
    ASK(cuStreamGetCtx_v2(stream));
    ASK(cuStreamGetGreenCtx(stream));
    ASK(cuStreamGetDevResource(stream, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuStreamIsCapturing(stream));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuMemsetD8Async(memory, 1, 64, stream));
    ASK(cuLaunchHostFunc(stream, do_nothing, nullptr));
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    ASK(cuEventRecord(event, stream));
    ASK(cuStreamWaitEvent(stream, event, 0));
    ASK(cuGraphLaunch(executable, stream));
    ASK(cuStreamSynchronize(plain));
    ASK(cuCtxSynchronize());
    ASK(cuStreamDestroy(stream));
    ASK(cuStreamDestroy(captured));
    ASK(cuStreamDestroy(plain));
    ASK(cuMemFree(memory));
    ASK(cuCtxSynchronize());
}

void ask_about_green_events() {
    const CUcontext primary = use_device();
    const std::vector<CUdevResource> groups = groups_of(16, 2);
    if (groups.size() < 2) return;
    const CUgreenCtx first = create_green_context({groups[0]});
    const CUgreenCtx second = create_green_context({groups[1]});
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUevent timed_later = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUevent untimed = cuEventCreate(CU_EVENT_DISABLE_TIMING).value;
    ASK(cuGreenCtxWaitEvent(first, event));
    ASK(cuGreenCtxRecordEvent(first, event));
    ASK(cuEventSynchronize(event));
    ASK(cuEventQuery(event));
    ASK(cuGreenCtxRecordEvent(first, untimed));
    ASK(cuEventSynchronize(untimed));
    const CUstream stream = cuGreenCtxStreamCreate(first, CU_STREAM_NON_BLOCKING, 0).value;
    const CUstream other = cuGreenCtxStreamCreate(second, CU_STREAM_NON_BLOCKING, 0).value;
    ASK(cuLaunchHostFunc(stream, do_nothing, nullptr));
    ASK(cuGreenCtxRecordEvent(first, timed_later));
    ASK(cuGreenCtxWaitEvent(second, timed_later));
    ASK(cuGreenCtxWaitEvent(first, timed_later));
    ASK(cuEventSynchronize(timed_later));
    ASK(cuEventElapsedTime(event, timed_later));
    ASK(cuStreamSynchronize(other));
    // Events of the primary context and of the green context's view.
    ASK(cuCtxSetCurrent(cuCtxFromGreenCtx(first).value));
    const CUevent of_view = ASK(cuEventCreate(CU_EVENT_DEFAULT)).value;
    ASK(cuGreenCtxRecordEvent(first, of_view));
    ASK(cuGreenCtxRecordEvent(second, of_view));
    ASK(cuGreenCtxWaitEvent(second, of_view));
    ASK(cuEventRecord(of_view, stream));
    ASK(cuEventRecord(of_view, other));
    ASK(cuEventRecord(of_view, nullptr));
    ASK(cuCtxSetCurrent(primary));
    ASK(cuEventRecord(of_view, nullptr));
    ASK(cuCtxRecordEvent(primary, event));
    ASK(cuCtxWaitEvent(primary, event));
    ASK(cuCtxRecordEvent(cuCtxFromGreenCtx(first).value, event));
    ASK(cuCtxWaitEvent(cuCtxFromGreenCtx(first).value, event));
    ASK(cuCtxSynchronize());
    const CUcontext foreign = cuCtxCreate(nullptr, 0, 0).value;
    const CUevent of_foreign = cuEventCreate(CU_EVENT_DEFAULT).value;
    ASK(cuGreenCtxRecordEvent(first, of_foreign));
    ASK(cuGreenCtxWaitEvent(first, of_foreign));
    ASK(cuCtxDestroy(foreign));
    ASK(cuCtxSetCurrent(primary));
    // A capture of a stream of the green context.
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuGreenCtxRecordEvent(first, event));
    ASK(cuStreamIsCapturing(stream));
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuGreenCtxWaitEvent(first, event));
    ASK(cuStreamIsCapturing(stream));
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuEventRecord(event, stream));
    ASK(cuGreenCtxWaitEvent(second, event));
    ASK(cuGreenCtxRecordEvent(second, event));
    ASK(cuStreamEndCapture(stream));
    ASK(cuEventDestroy(of_view));
    ASK(cuEventDestroy(event));
    ASK(cuGreenCtxDestroy(second));
    ASK(cuGreenCtxDestroy(first));
    ASK(cuEventQuery(timed_later));
    ASK(cuEventDestroy(timed_later));
}

}  // namespace answers
