// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

namespace {

struct Stream {
    cudaStream_t handle = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
};

// Calls that a capture does not allow, each in a new capture.
void ask_about_violations(cudaStream_t stream, void* memory) {
    static char host[64];
    const cudaEvent_t event = cudaEventCreate().value;
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        const std::string suffix = " in mode " + std::to_string(mode);
        const auto violate = [&](const char* name, auto call) {
            if (!cudaStreamBeginCapture(stream, mode).ok()) return;
            ask((name + suffix).c_str(), call);
            ask((std::string("status after ") + name + suffix).c_str(), [&] { return cudaStreamIsCapturing(stream); });
            ask((std::string("end after ") + name + suffix).c_str(), [&] { return cudaStreamEndCapture(stream); });
            ask((std::string("error after ") + name + suffix).c_str(), [&] { return cudaGetLastError(); });
        };
        violate("cudaMalloc", [&] { return cudaMalloc(64); });
        violate("cudaFree", [&] { return cudaFree(nullptr); });
        violate("cudaMemcpy", [&] { return cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice); });
        violate("cudaMemset", [&] { return cudaMemset(memory, 0, 64); });
        violate("cudaDeviceSynchronize", [&] { return cudaDeviceSynchronize(); });
        violate("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
        violate("cudaStreamQuery", [&] { return cudaStreamQuery(stream); });
        violate("cudaEventQuery", [&] { return cudaEventQuery(event); });
        violate("cudaEventRecord", [&] { return cudaEventRecord(event, stream); });
        violate("cudaStreamSynchronize of the legacy stream", [&] { return cudaStreamSynchronize(cudaStreamLegacy); });
        violate("cudaMemcpyAsync", [&] { return cudaMemcpyAsync(memory, host, 64, cudaMemcpyHostToDevice, stream); });
        violate("cudaMemcpyAsync of the default stream",
                [&] { return cudaMemcpyAsync(memory, host, 64, cudaMemcpyHostToDevice); });
        violate("cudaStreamCreate", [&] { return cudaStreamCreate(); });
        violate("cudaEventCreate", [&] { return cudaEventCreate(); });
        violate("cudaHostAlloc", [&] { return cudaHostAlloc(64, 0); });
        violate("cudaMemGetInfo", [&] { return cubind::Result<cudaError_t>{cudaMemGetInfo().status}; });
        violate("cudaMallocAsync", [&] { return cudaMallocAsync(64, stream); });
        violate("cudaStreamAddCallback", [&] { return cudaStreamAddCallback(stream, nullptr, nullptr, 0); });
        violate("cudaLaunchHostFunc", [&] { return cudaLaunchHostFunc(stream, do_nothing, nullptr); });
        violate("cudaGraphLaunch", [&] { return cudaGraphLaunch(cudaGraphInstantiate(cudaGraphCreate().value).value, stream); });
    }
}

}  // namespace

void ask_about_runtime_captures() {
    const cudaStream_t stream = Stream().handle;
    const cudaStream_t other = Stream().handle;
    const cudaEvent_t event = cudaEventCreateWithFlags(cudaEventDisableTiming).value;
    void* const memory = cudaMalloc(4096).value;
    ASK(cudaStreamEndCapture(stream));
    ASK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(9)));
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamIsCapturing(stream));
    ASK(cudaStreamIsCapturing(nullptr));
    ASK(cudaStreamIsCapturing(cudaStreamLegacy));
    ASK(cudaMemsetAsync(memory, 1, 64, stream));
    ASK(cudaMemcpyAsync(memory, static_cast<char*>(memory) + 64, 64, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaMemcpyAsync(memory, memory, 0, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaStreamGetCaptureInfo(stream));
    cudaGraphNode_t node = nullptr;
    ASK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
    ASK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 99));
    ASK(cudaStreamUpdateCaptureDependencies(other, &node, nullptr, 0, cudaStreamSetCaptureDependencies));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaEventQuery(event));
    ASK(cudaEventSynchronize(event));
    ASK(cudaStreamIsCapturing(stream));
    ASK(cudaStreamEndCapture(stream));
    ASK(cudaStreamIsCapturing(stream));
    ASK(cudaGetLastError());
    // A second stream joins the capture.
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaStreamWaitEvent(other, event, 0));
    ASK(cudaStreamIsCapturing(other));
    ASK(cudaMemsetAsync(memory, 1, 64, other));
    ASK(cudaStreamEndCapture(other));
    ASK(cudaStreamEndCapture(stream));
    ASK(cudaStreamIsCapturing(other));
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaStreamWaitEvent(other, event, 0));
    ASK(cudaMemsetAsync(memory, 1, 64, other));
    ASK(cudaEventRecord(event, other));
    ASK(cudaStreamWaitEvent(stream, event, 0));
    const cudaGraph_t graph = ASK(cudaStreamEndCapture(stream)).value;
    ASK(cudaGraphGetNodes(graph, nullptr, 0));
    ASK(cudaGraphLaunch(ASK(cudaGraphInstantiate(graph)).value, stream));
    ASK(cudaStreamSynchronize(stream));
    const cudaGraph_t target = cudaGraphCreate().value;
    ASK(cudaStreamBeginCaptureToGraph(stream, target, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    ASK(cudaMemsetAsync(memory, 1, 64, stream));
    REPORT(cudaStreamEndCapture(stream).value == target);
    ASK(cudaStreamBeginCaptureToGraph(stream, target, nullptr, nullptr, 0, static_cast<cudaStreamCaptureMode>(9)));
    ASK(cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureModeRelaxed));
    ASK(cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaGetLastError());
    ask_about_violations(Stream().handle, memory);
    ASK(cudaStreamBeginCaptureToGraph(other, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
}

}  // namespace answers
