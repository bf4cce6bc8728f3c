// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaEventCreate(cudaEvent_t* event) {
    return call_in_context(cuEventCreate, event, 0u);
}

cudaError_t sim_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return call_in_context(cuEventCreate, event, flags);
}

cudaError_t sim_cudaEventDestroy(cudaEvent_t event) {
    return call_in_context(cuEventDestroy_v2, event);
}

cudaError_t sim_cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return call_in_context(cuEventElapsedTime_v2, ms, start, end);
}

cudaError_t sim_cudaEventQuery(cudaEvent_t event) {
    return call_in_context(cuEventQuery, event);
}

cudaError_t sim_cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call_in_context(cuEventRecord, event, driver_stream(stream));
}

cudaError_t sim_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    return call_in_context(cuEventRecordWithFlags, event, driver_stream(stream), flags);
}

cudaError_t sim_cudaEventSynchronize(cudaEvent_t event) {
    return call_in_context(cuEventSynchronize, event);
}

cudaError_t sim_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    return call_in_context(cuStreamWaitEvent, driver_stream(stream), event, flags);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
