// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "mistakes/groups.hpp"

namespace answers {

namespace {

template <class Call>
void on_another_thread(Call call) {
    std::thread(call).join();
}

/// Calls that a host function made, and their statuses.
struct Calls {
    CUevent event = nullptr;
    CUstream stream = nullptr;
    CUdeviceptr memory = 0;
    CUresult allocated = CUDA_ERROR_UNKNOWN;
    CUresult freed = CUDA_ERROR_UNKNOWN;
    CUresult filled = CUDA_ERROR_UNKNOWN;
    CUresult queried = CUDA_ERROR_UNKNOWN;
    CUresult recorded = CUDA_ERROR_UNKNOWN;
    CUresult submitted = CUDA_ERROR_UNKNOWN;
    CUresult current = CUDA_ERROR_UNKNOWN;
    CUresult counted = CUDA_ERROR_UNKNOWN;
};

void do_nothing(void*) {}

void make_calls(void* data) {
    Calls& calls = *static_cast<Calls*>(data);
    calls.allocated = cuMemAlloc(64).status;
    calls.freed = cuMemFree(0).status;
    calls.filled = cuMemsetD8Async(calls.memory, 0, 16, calls.stream).status;
    calls.queried = cuEventQuery(calls.event).status;
    calls.recorded = cuEventRecord(calls.event, calls.stream).status;
    calls.submitted = cuLaunchHostFunc(calls.stream, do_nothing, nullptr).status;
    calls.current = cuCtxGetCurrent().status;
    calls.counted = cuDeviceGetCount().status;
}

void make_calls_with_status(CUstream, CUresult, void* data) {
    make_calls(data);
}

void report_calls(const std::string& where, const Calls& calls) {
    report(("cuMemAlloc " + where).c_str(), calls.allocated);
    report(("cuMemFree " + where).c_str(), calls.freed);
    report(("cuMemsetD8Async " + where).c_str(), calls.filled);
    report(("cuEventQuery " + where).c_str(), calls.queried);
    report(("cuEventRecord " + where).c_str(), calls.recorded);
    report(("cuLaunchHostFunc " + where).c_str(), calls.submitted);
    report(("cuCtxGetCurrent " + where).c_str(), calls.current);
    report(("cuDeviceGetCount " + where).c_str(), calls.counted);
}

std::string name_of(CUstreamCaptureMode mode) {
    return mode == CU_STREAM_CAPTURE_MODE_GLOBAL ? "global" : mode == CU_STREAM_CAPTURE_MODE_RELAXED ? "relaxed" : "thread-local";
}

}  // namespace

void ask_about_wrong_threads() {
    use_device();
    const CUfunction kernel = load_kernel("nothing");
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    on_another_thread([&] {
        int host = 0;
        ASK(cuCtxGetCurrent());
        ASK(cuCtxGetDevice());
        ASK(cuCtxPopCurrent());
        ASK(cuCtxSynchronize());
        ASK(cuMemAlloc(64));
        ASK(cuMemAllocAsync(64, nullptr));
        ASK(cuMemHostAlloc(64, 0));
        ask("cuMemGetInfo()", [] { return cubind::Result<CUresult>{cuMemGetInfo().status}; });
        ASK(cuMemcpyHtoD(memory, &host, sizeof host));
        ASK(cuMemcpyDtoH(&host, memory, sizeof host));
        ASK(cuMemcpyHtoDAsync(memory, &host, sizeof host, stream));
        ASK(cuMemcpyHtoDAsync(memory, &host, sizeof host, nullptr));
        ASK(cuMemsetD8(memory, 0, 16));
        ASK(cuMemsetD8Async(memory, 0, 16, stream));
        ASK(cuStreamCreate(0));
        ASK(cuStreamSynchronize(nullptr));
        ASK(cuStreamSynchronize(stream));
        ASK(cuEventCreate(0));
        ASK(cuEventRecord(event, stream));
        ASK(cuEventRecord(event, nullptr));
        ASK(cuEventSynchronize(event));
        ASK(cuModuleLoadData(kernels));
        ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
        ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
        ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, CU_STREAM_PER_THREAD, nullptr, nullptr));
        ASK(cuStreamSynchronize(stream));
        ASK(cuMemFree(memory));
        ASK(cuStreamDestroy(stream));
        ASK(cuEventDestroy(event));
    });
    ASK(cuMemFree(memory));
}

void ask_about_captures_of_other_threads() {
    const CUcontext context = use_device();
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUstream other = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    for (const auto mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
        // Makes one call on another thread during a capture, and asks whether it ended the capture.
        const auto during = [&](const char* name, auto call) {
            const CUstream captured = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
            (void)cuCtxSynchronize();  // no answer depends on work that is still running
            const std::string question = std::string(name) + " in mode " + name_of(mode);
            (void)cuStreamBeginCapture(captured, mode);
            on_another_thread([&] {
                (void)cuCtxSetCurrent(context);
                ask(question.c_str(), [&] { return call(captured); });
            });
            report(("capture status after " + question).c_str(), cuStreamIsCapturing(captured).value);
            ask(("cuStreamEndCapture after " + question).c_str(), [&] { return cuStreamEndCapture(captured); });
        };
        during("cuStreamEndCapture", [](CUstream captured) { return cuStreamEndCapture(captured); });
        during("cuCtxSynchronize", [](CUstream) { return cuCtxSynchronize(); });
        during("cuStreamSynchronize of the captured stream", [](CUstream captured) { return cuStreamSynchronize(captured); });
        during("cuStreamQuery of the captured stream", [](CUstream captured) { return cuStreamQuery(captured); });
        during("cuStreamSynchronize of another stream", [&](CUstream) { return cuStreamSynchronize(other); });
        during("cuEventQuery", [&](CUstream) { return cuEventQuery(event); });
        during("cuEventSynchronize", [&](CUstream) { return cuEventSynchronize(event); });
        during("cuMemAlloc", [](CUstream) { return cuMemAlloc(64); });
        during("cuMemFree", [](CUstream) { return cuMemFree(0); });
        during("cuMemsetD8", [&](CUstream) { return cuMemsetD8(memory, 0, 16); });
        during("cuMemsetD8Async on another stream", [&](CUstream) { return cuMemsetD8Async(memory, 0, 16, other); });
        during("cuMemsetD8Async on the captured stream",
               [&](CUstream captured) { return cuMemsetD8Async(memory, 0, 16, captured); });
        during("cuMemsetD8Async on the legacy stream", [&](CUstream) { return cuMemsetD8Async(memory, 0, 16, nullptr); });
        during("cuModuleLoadData", [](CUstream) { return cuModuleLoadData(kernels); });
        during("cuMemAlloc after an exchange of the mode", [](CUstream) {
            (void)cuThreadExchangeStreamCaptureMode(CU_STREAM_CAPTURE_MODE_RELAXED);
            return cuMemAlloc(64);
        });
    }
}

void ask_about_calls_in_host_functions() {
    use_device();
    Calls calls;
    calls.stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    calls.event = cuEventCreate(CU_EVENT_DEFAULT).value;
    calls.memory = cuMemAlloc(64).value;
    ASK(cuLaunchHostFunc(calls.stream, make_calls, &calls));
    ASK(cuStreamSynchronize(calls.stream));
    report_calls("of cuLaunchHostFunc", calls);
    ASK(cuStreamAddCallback(calls.stream, make_calls_with_status, &calls, 0));
    ASK(cuStreamSynchronize(calls.stream));
    report_calls("of cuStreamAddCallback", calls);
    ASK(cuCtxSynchronize());
}

}  // namespace answers
