// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr) {
    return call_in_context(cuIpcGetMemHandle, handle, devPtr);
}

cudaError_t sim_cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle, unsigned int flags) {
    return call_in_context(cuIpcOpenMemHandle_v2, devPtr, handle, flags);
}

cudaError_t sim_cudaIpcCloseMemHandle(void* devPtr) {
    return call_in_context(cuIpcCloseMemHandle, devPtr);
}

cudaError_t sim_cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
    return call_in_context(cuIpcGetEventHandle, handle, event);
}

cudaError_t sim_cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
    return call_in_context(cuIpcOpenEventHandle, event, handle);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
