// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// A callback of the runtime library, which receives a status of the runtime library.
struct Callback {
    cudaStreamCallback_t function;
    void* data;
};

void run_callback(CUstream stream, CUresult status, void* data) {
    const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
    callback->function(stream, status_of(status), callback->data);
}

}  // namespace

extern "C" {

cudaError_t sim_cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned int flags) {
    if (callback == nullptr) return cudaErrorInvalidValue;
    auto called = std::make_unique<Callback>(Callback{callback, userData});
    const cudaError_t status = call_in_context(cuStreamAddCallback, driver_stream(stream), run_callback, called.get(), flags);
    if (status == cudaSuccess) called.release();  // freed by run_callback
    return status;
}

cudaError_t sim_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
    return call_in_context(cuLaunchHostFunc, driver_stream(stream), fn, userData);
}

cudaError_t sim_cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void* userData, unsigned int syncMode) {
    return call_since(13010, cuLaunchHostFunc_v2, driver_stream(stream), fn, userData, syncMode);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
