// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaStreamCreate(cudaStream_t* pStream) {
    return call_in_context(cuStreamCreate, pStream, 0u);
}

cudaError_t sim_cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
    return call_in_context(cuStreamCreate, pStream, flags);
}

cudaError_t sim_cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority) {
    return call_in_context(cuStreamCreateWithPriority, pStream, flags, priority);
}

cudaError_t sim_cudaStreamDestroy(cudaStream_t stream) {
    return call_in_context(cuStreamDestroy_v2, stream);
}

cudaError_t sim_cudaStreamSynchronize(cudaStream_t stream) {
    return call_in_context(cuStreamSynchronize, driver_stream(stream));
}

cudaError_t sim_cudaStreamQuery(cudaStream_t stream) {
    return call_in_context(cuStreamQuery, driver_stream(stream));
}

cudaError_t sim_cudaStreamGetFlags(cudaStream_t hStream, unsigned int* flags) {
    return call_in_context(cuStreamGetFlags, driver_stream(hStream), flags);
}

cudaError_t sim_cudaStreamGetPriority(cudaStream_t hStream, int* priority) {
    return call_in_context(cuStreamGetPriority, driver_stream(hStream), priority);
}

cudaError_t sim_cudaStreamGetId(cudaStream_t hStream, unsigned long long* streamId) {
    return call_in_context(cuStreamGetId, driver_stream(hStream), streamId);
}

cudaError_t sim_cudaStreamGetDevice(cudaStream_t hStream, int* device) {
    return call_in_context(cuStreamGetDevice, driver_stream(hStream), device);
}

cudaError_t sim_cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue* value_out) {
    return call_in_context(cuStreamGetAttribute, driver_stream(hStream), attr, value_out);
}

cudaError_t sim_cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue* value) {
    return call_in_context(cuStreamSetAttribute, driver_stream(hStream), attr, value);
}

cudaError_t sim_cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
    return call_in_context(cuStreamCopyAttributes, driver_stream(dst), driver_stream(src));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
