// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void do_nothing_with_status(CUstream, CUresult, void*) {}

// Makes one call during a capture, and reports whether the call ended the capture.
template <class Call>
void ask_during_capture(const char* name, CUstreamCaptureMode mode, Call call) {
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    cuCtxSynchronize().ok();  // no answer depends on work that is still running
    const std::string during = std::string(name) + " in mode " + std::to_string(mode);
    cuStreamBeginCapture(stream, mode).ok();
    ask(during.c_str(), [&] { return call(stream); });
    report(("capture status after " + during).c_str(), cuStreamIsCapturing(stream).value);
    ask(("cuStreamEndCapture after " + during).c_str(), [&] { return cuStreamEndCapture(stream); });
}

void ask_about_forks(CUstream stream, CUdeviceptr memory) {
    const CUstream second = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent fork = cuEventCreate(0).value;
    const CUevent join = cuEventCreate(0).value;
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuEventRecord(fork, stream));
    ASK(cuEventQuery(fork));
    ASK(cuStreamWaitEvent(second, fork, 0));
    ASK(cuStreamIsCapturing(second));
    ASK(cuMemsetD8Async(memory, 0, 16, second));
    ASK(cuStreamEndCapture(second));
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamIsCapturing(second));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuEventRecord(fork, stream));
    ASK(cuStreamWaitEvent(second, fork, 0));
    ASK(cuMemsetD8Async(memory, 0, 16, second));
    ASK(cuEventRecord(join, second));
    ASK(cuStreamWaitEvent(stream, join, 0));
    const CUgraph joined = ASK(cuStreamEndCapture(stream)).value;
    ASK(cuGraphGetNodes(joined, nullptr, 0));
    ASK(cuEventQuery(join));
    ASK(cuStreamWaitEvent(second, join, 0));
    ASK(cuEventSynchronize(join));
}

void ask_about_graph_targets(CUstream stream, CUdeviceptr memory) {
    const CUgraph graph = cuGraphCreate(0).value;
    const CUgraphNode node = cuGraphAddEmptyNode(graph, nullptr, 0).value;
    ASK(cuStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, static_cast<CUstreamCaptureMode>(9)));
    ASK(cuStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuMemsetD8Async(memory, 0, 16, stream));
    const auto info = cuStreamGetCaptureInfo(stream);
    REPORT(info.status);
    REPORT(info.value1);
    REPORT(info.value3 == graph);
    REPORT(info.value6);
    REPORT(cuStreamEndCapture(stream).value == graph);
    ASK(cuGraphGetNodes(graph, nullptr, 0));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    ASK(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    ASK(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 9));
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
}

}  // namespace

void ask_about_captures() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(9)));
    ASK(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCapture(CU_STREAM_LEGACY, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCapture(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamEndCapture(CU_STREAM_PER_THREAD));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamIsCapturing(stream));
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const CUgraph empty = ASK(cuStreamEndCapture(stream)).value;
    ASK(cuGraphGetNodes(empty, nullptr, 0));
    ASK(cuThreadExchangeStreamCaptureMode(CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuThreadExchangeStreamCaptureMode(CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuThreadExchangeStreamCaptureMode(static_cast<CUstreamCaptureMode>(9)));
    ask_about_forks(stream, memory);
    ask_about_graph_targets(stream, memory);
}

void ask_about_capture_violations() {
    const CUcontext context = use_device();
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    const CUevent event = cuEventCreate(0).value;
    void* const host = cuMemAllocHost(4096).value;
    const CUmodule module = cuModuleLoadData(ptx).value;
    const CUfunction nothing = cuModuleGetFunction(module, "nothing").value;
    const CUstream blocking = cuStreamCreate(CU_STREAM_DEFAULT).value;
    for (const auto mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
        const auto during = [&](const char* name, auto call) { ask_during_capture(name, mode, call); };
        during("cuStreamSynchronize", [](CUstream s) { return cuStreamSynchronize(s); });
        during("cuStreamQuery", [](CUstream s) { return cuStreamQuery(s); });
        during("cuCtxSynchronize", [](CUstream) { return cuCtxSynchronize(); });
        during("cuMemAlloc", [](CUstream) { return cuMemAlloc(64); });
        during("cuMemFree", [](CUstream) { return cuMemFree(0); });
        during("cuMemAllocHost", [](CUstream) { return cuMemAllocHost(64); });
        during("cuMemAllocManaged", [](CUstream) { return cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL); });
        during("cuMemAllocAsync", [](CUstream s) { return cuMemAllocAsync(64, s); });
        during("cuMemsetD8", [&](CUstream) { return cuMemsetD8(memory, 0, 16); });
        during("cuMemsetD8Async", [&](CUstream s) { return cuMemsetD8Async(memory, 0, 16, s); });
        during("cuMemsetD8Async on the legacy stream", [&](CUstream) { return cuMemsetD8Async(memory, 0, 16, nullptr); });
        during("cuMemcpyDtoH", [&](CUstream) { return cuMemcpyDtoH(host, memory, 16); });
        during("cuMemcpyDtoHAsync", [&](CUstream s) { return cuMemcpyDtoHAsync(host, memory, 16, s); });
        during("cuMemcpyDtoHAsync in a blocking stream", [&](CUstream) { return cuMemcpyDtoHAsync(host, memory, 16, blocking); });
        during("cuEventRecord", [&](CUstream s) { return cuEventRecord(event, s); });
        during("cuEventRecord on the legacy stream", [&](CUstream) { return cuEventRecord(event, nullptr); });
        during("cuEventQuery", [&](CUstream) { return cuEventQuery(event); });
        during("cuEventSynchronize", [&](CUstream) { return cuEventSynchronize(event); });
        during("cuEventCreate", [](CUstream) { return cuEventCreate(0); });
        during("cuStreamCreate", [](CUstream) { return cuStreamCreate(0); });
        during("cuStreamAddCallback", [](CUstream s) { return cuStreamAddCallback(s, do_nothing_with_status, nullptr, 0); });
        during("cuLaunchHostFunc", [](CUstream s) { return cuLaunchHostFunc(s, do_nothing, nullptr); });
        during("cuLaunchKernel", [&](CUstream s) { return cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, s, nullptr, nullptr); });
        during("cuModuleLoadData", [](CUstream) { return cuModuleLoadData(ptx); });
        during("cuStreamAttachMemAsync", [&](CUstream s) { return cuStreamAttachMemAsync(s, memory, 0, CU_MEM_ATTACH_SINGLE); });
        during("cuMemHostRegister", [&](CUstream) { return cuMemHostRegister(host, 16, 0); });
        during("cuCtxGetCurrent", [](CUstream) { return cuCtxGetCurrent(); });
        during("cuCtxSynchronize_v2", [&](CUstream) { return cuCtxSynchronize_v2(context); });
        during("cuGraphInstantiate", [](CUstream) { return cuGraphInstantiate(cuGraphCreate(0).value, 0); });
        during("cuMemGetInfo", [](CUstream) { return cubind::Result<CUresult>{cuMemGetInfo().status}; });
        during("cuStreamWriteValue32", [&](CUstream s) { return cuStreamWriteValue32(s, memory, 1, 0); });
        during("cuStreamDestroy of another", [](CUstream) { return cuStreamDestroy(cuStreamCreate(0).value); });
        during("cuGraphLaunch", [](CUstream s) {
            const CUgraph graph = cuGraphCreate(0).value;
            cuGraphAddEmptyNode(graph, nullptr, 0).ok();
            return cuGraphLaunch(cuGraphInstantiate(graph, 0).value, s);
        });
    }
}

}  // namespace answers
