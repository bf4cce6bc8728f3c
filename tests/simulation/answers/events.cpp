// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_ipc(CUstream stream) {
    ASK(cuIpcGetEventHandle(ASK(cuEventCreate(CU_EVENT_DEFAULT)).value));
    ASK(cuIpcGetEventHandle(nullptr));
    ASK(cuEventCreate(CU_EVENT_INTERPROCESS));
    const CUevent shared = ASK(cuEventCreate(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)).value;
    const auto exported = ASK(cuIpcGetEventHandle(shared));
    const CUipcEventHandle& handle = exported.value;
    if (exported.ok()) ASK(cuIpcOpenEventHandle(handle));
    ASK(cuIpcOpenEventHandle(CUipcEventHandle{}));
    ASK(cuEventRecord(shared, stream));
    const CUdeviceptr memory = cuMemAlloc(1 << 21).value;
    const auto exported_memory = ASK(cuIpcGetMemHandle(memory));
    const CUipcMemHandle& memory_handle = exported_memory.value;
    ASK(cuIpcGetMemHandle(memory + 256));
    ASK(cuIpcGetMemHandle(bad_address));
    ASK(cuIpcGetMemHandle(0));
    if (exported_memory.ok()) ASK(cuIpcOpenMemHandle(memory_handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    if (exported_memory.ok()) ASK(cuIpcOpenMemHandle(memory_handle, 0));
    ASK(cuIpcOpenMemHandle(CUipcMemHandle{}, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    ASK(cuIpcCloseMemHandle(memory));
    ASK(cuIpcCloseMemHandle(bad_address));
    ASK(cuIpcCloseMemHandle(0));
}

}  // namespace

void ask_about_events() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent first = ASK(cuEventCreate(CU_EVENT_DEFAULT)).value;
    const CUevent second = ASK(cuEventCreate(CU_EVENT_BLOCKING_SYNC)).value;
    const CUevent untimed = ASK(cuEventCreate(CU_EVENT_DISABLE_TIMING)).value;
    ASK(cuEventCreate(8));
    ASK(cuEventCreate(0xffff));
    ASK(cuEventQuery(first));
    ASK(cuEventSynchronize(first));
    ASK(cuEventElapsedTime(first, second));
    ASK(cuEventElapsedTime_v1(first, second));
    ASK(cuStreamWaitEvent(stream, first, 0));
    ASK(cuEventRecord(first, stream));
    ASK(cuEventSynchronize(first));
    ASK(cuEventElapsedTime(first, second));
    ASK(cuEventRecord(second, stream));
    ASK(cuEventRecord(untimed, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuEventQuery(second));
    ASK(cuEventElapsedTime(first, second));
    ASK(cuEventElapsedTime(second, first));
    ASK(cuEventElapsedTime(first, first));
    ASK(cuEventElapsedTime(first, untimed));
    ASK(cuEventElapsedTime(nullptr, first));
    ASK(cuEventElapsedTime(first, nullptr));
    ASK(cuEventElapsedTime_v1(first, second));
    ASK(cuEventRecord(nullptr, stream));
    ASK(cuEventRecord(first, nullptr));
    ASK(cuEventRecord(first, CU_STREAM_LEGACY));
    ASK(cuEventRecord(first, CU_STREAM_PER_THREAD));
    ASK(cuEventRecordWithFlags(first, stream, 0));
    ASK(cuEventRecordWithFlags(first, stream, CU_EVENT_RECORD_EXTERNAL));
    ASK(cuEventRecordWithFlags(first, stream, 2));
    ASK(cuStreamWaitEvent(stream, first, 0));
    ASK(cuStreamWaitEvent(stream, first, CU_EVENT_WAIT_EXTERNAL));
    ASK(cuStreamWaitEvent(stream, first, 2));
    ASK(cuStreamWaitEvent(stream, nullptr, 0));
    ASK(cuEventQuery(nullptr));
    ASK(cuEventSynchronize(nullptr));
    ASK(cuEventDestroy(nullptr));
    ASK(cuEventDestroy(first));
    ASK(cuEventDestroy(second));
    ASK(cuEventDestroy(untimed));
    ask_about_ipc(stream);
}

}  // namespace answers
