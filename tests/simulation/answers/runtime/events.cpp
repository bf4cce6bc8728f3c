// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

void ask_about_runtime_events() {
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    const cudaEvent_t event = ASK(cudaEventCreate()).value;
    const cudaEvent_t later = ASK(cudaEventCreateWithFlags(cudaEventBlockingSync)).value;
    const cudaEvent_t untimed = ASK(cudaEventCreateWithFlags(cudaEventDisableTiming)).value;
    ASK(cudaEventCreateWithFlags(cudaEventInterprocess));
    ASK(cudaEventCreateWithFlags(cudaEventInterprocess | cudaEventDisableTiming));
    ASK(cudaEventCreateWithFlags(8));
    ASK(cudaEventCreateWithFlags(0xffff));
    ASK(cudaEventQuery(event));
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventElapsedTime(event, later));
    ASK(cudaStreamWaitEvent(stream, event, 0));
    ASK(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
    ASK(cudaStreamWaitEvent(stream, event, 2));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaEventElapsedTime(event, later));
    ASK(cudaEventRecordWithFlags(later, stream, cudaEventRecordDefault));
    ASK(cudaEventRecordWithFlags(later, stream, cudaEventRecordExternal));
    ASK(cudaEventRecordWithFlags(later, stream, 2));
    ASK(cudaEventRecord(later, stream));
    ASK(cudaEventSynchronize(later));
    ASK(cudaEventElapsedTime(event, later));
    ASK(cudaEventRecord(untimed, stream));
    ASK(cudaEventSynchronize(untimed));
    ASK(cudaEventElapsedTime(event, untimed));
    ASK(cudaEventElapsedTime(untimed, event));
    for (const cudaStream_t each : {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
        ASK(cudaEventRecord(event, each));
        ASK(cudaStreamWaitEvent(each, event, 0));
        ASK(cudaEventSynchronize(event));
        ASK(cudaEventQuery(event));
    }
    ASK(cudaEventDestroy(untimed));
    ASK(cudaEventDestroy(later));
    ASK(cudaEventDestroy(event));
    ASK(cudaGetLastError());
    ASK(cudaEventRecord(nullptr, stream));
    ASK(cudaEventQuery(nullptr));
    ASK(cudaEventSynchronize(nullptr));
    ASK(cudaEventElapsedTime(nullptr, nullptr));
    ASK(cudaEventDestroy(nullptr));
    ASK(cudaStreamWaitEvent(stream, nullptr, 0));
}

}  // namespace answers
