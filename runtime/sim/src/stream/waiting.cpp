// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/behaviours.hpp>

#include "stream/stream_check.hpp"

namespace cubind::sim {

extern "C" {

CUresult sim_cuStreamQuery(CUstream hStream) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    return stream.is_idle() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult sim_cuStreamSynchronize(CUstream hStream) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    stream.wait();
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    const auto event = machine().events.find(hEvent);
    if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if ((Flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) != 0) return CUDA_ERROR_INVALID_VALUE;
    const Event::Record record = event->record();
    if (!record.ticket.is_done()) stream.submit({}, {record.ticket});
    return CUDA_SUCCESS;
}

CUresult sim_cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    if (fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
    stream.submit([=] { WorkQueue::call_host_function([=] { fn(userData); }); });
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    stream.submit([=] { WorkQueue::call_host_function([=] { callback(hStream, CUDA_SUCCESS, userData); }); });
    return CUDA_SUCCESS;
}

// Managed memory is always where it is needed.
CUresult sim_cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, std::size_t, unsigned int flags) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    const auto found = machine().memory.find(dptr);
    const bool is_managed = found != nullptr && found->kind == MemoryKind::managed;
    const bool is_flag = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE;
    return is_managed && is_flag ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// Nothing is ever captured yet.
CUresult sim_cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
    const StreamCheck stream(hStream);
    return stream.failed() ? stream.status : give(captureStatus, CU_STREAM_CAPTURE_STATUS_NONE);
}

}  // extern "C"

}  // namespace cubind::sim
