// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "machine/submit.hpp"
#include "machine/unsafe_call.hpp"
#include "work/host.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Rejects waits for a captured stream, and all waits while a capture forbids them.
CUresult check_wait(const StreamCheck& stream) {
    return stream.is_captured() ? refuse_capture(machine().graph_store, stream.stream) : check_unsafe_call();
}

}  // namespace

extern "C" {

CUresult sim_cuStreamQuery(CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    if (const CUresult status = check_wait(stream)) return status;
    return stream.is_idle() ? stream.fault() : CUDA_ERROR_NOT_READY;
}

CUresult sim_cuStreamSynchronize(CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    if (const CUresult status = check_wait(stream)) return status;
    stream.wait();
    return stream.fault();
}

CUresult sim_cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
    const Valid<StreamCheck> stream(hStream);
    auto event = machine().events.find(hEvent);
    if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if ((Flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) != 0) return CUDA_ERROR_INVALID_VALUE;
    return submit(stream, WaitOperation{std::move(event)}, Flags);
}

CUresult sim_cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
    if (const CUresult status = check_initialized(InHostFunction::permitted)) return status;
    const HostOperation call{{fn, userData}};
    if (const CUresult status = call.check()) return status;
    const Valid<StreamCheck> stream(hStream, InHostFunction::permitted);
    return submit(stream, call);
}

CUresult sim_cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags) {
    const Valid<StreamCheck> stream(hStream);
    if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    // Unlike a host function, a callback is called after a fault, too, and receives it.
    return submit_uncaptured(stream, [=, &device = stream->context->device] {
        WorkQueue::call_host_function([&] { callback(hStream, device.fault(), userData); });
    });
}

// No effect, except for the checks: managed memory is accessible to all streams.
CUresult sim_cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, std::size_t length, unsigned int flags) {
    const Valid<StreamCheck> stream(hStream);
    if (stream.is_captured()) return refuse_capture(machine().graph_store, stream.stream);
    const auto found = machine().memory.find(dptr);
    const bool is_managed = found != nullptr && found->kind == MemoryKind::managed;
    // Only a whole allocation can be attached. The single stream must not be the null stream.
    if (!is_managed || (length != 0 && length != found->size)) return CUDA_ERROR_INVALID_VALUE;
    const bool is_single = flags == CU_MEM_ATTACH_SINGLE && hStream != nullptr;
    const bool is_valid_flag = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || is_single;
    return is_valid_flag ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
