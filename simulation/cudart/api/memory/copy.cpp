// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// Copies without a stream have a second symbol for the thread's own default stream.
template <class... Parameters, class... Arguments>
cudaError_t copy(CUresult (*legacy)(Parameters...), CUresult (*per_thread)(Parameters...), Arguments... arguments) {
    return status_of((thread_state.uses_per_thread_stream ? per_thread : legacy)(as<Parameters>(arguments)...));
}

}  // namespace

extern "C" {

cudaError_t sim_cudaMemcpy(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind) {
    if (const cudaError_t status = bind_context()) return status;
    if (count == 0) return cudaSuccess;
    if (kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return copy(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds, dst, src, count);
        case cudaMemcpyDeviceToHost:
            return copy(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds, dst, src, count);
        case cudaMemcpyDeviceToDevice:
            return copy(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds, dst, src, count);
        default:
            return copy(cuMemcpy, cuMemcpy_ptds, dst, src, count);
    }
}

cudaError_t sim_cudaMemcpyAsync(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    if (const cudaError_t status = bind_context()) return status;
    if (count == 0) return cudaSuccess;
    if (kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    const cudaStream_t used = driver_stream(stream);
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return call(cuMemcpyHtoDAsync_v2, dst, src, count, used);
        case cudaMemcpyDeviceToHost:
            return call(cuMemcpyDtoHAsync_v2, dst, src, count, used);
        case cudaMemcpyDeviceToDevice:
            return call(cuMemcpyDtoDAsync_v2, dst, src, count, used);
        default:
            return call(cuMemcpyAsync, dst, src, count, used);
    }
}

cudaError_t sim_cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, std::size_t count) {
    CUcontext to = nullptr;
    CUcontext from = nullptr;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = retain_primary(dstDevice, to)) return status;
    if (const cudaError_t status = retain_primary(srcDevice, from)) return status;
    return count == 0 ? cudaSuccess : copy(cuMemcpyPeer, cuMemcpyPeer_ptds, dst, to, src, from, count);
}

cudaError_t sim_cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, std::size_t count,
                                    cudaStream_t stream) {
    CUcontext to = nullptr;
    CUcontext from = nullptr;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = retain_primary(dstDevice, to)) return status;
    if (const cudaError_t status = retain_primary(srcDevice, from)) return status;
    return count == 0 ? cudaSuccess : call(cuMemcpyPeerAsync, dst, to, src, from, count, driver_stream(stream));
}

cudaError_t sim_cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs, const std::size_t* sizes, std::size_t count,
                                     cudaMemcpyAttributes* attrs, std::size_t* attrsIdxs, std::size_t numAttrs,
                                     cudaStream_t stream) {
    return call_in_context(cuMemcpyBatchAsync_v2, dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, driver_stream(stream));
}

cudaError_t sim_cudaMemcpy3DBatchAsync(std::size_t numOps, cudaMemcpy3DBatchOp* opList, unsigned long long flags,
                                       cudaStream_t stream) {
    return call_in_context(cuMemcpy3DBatchAsync_v2, numOps, opList, flags, driver_stream(stream));
}

cudaError_t sim_cudaMemcpyWithAttributesAsync(void* dst, const void* src, std::size_t size, cudaMemcpyAttributes* attr,
                                              cudaStream_t stream) {
    return call_since(13020, cuMemcpyWithAttributesAsync, dst, src, size, attr, driver_stream(stream));
}

cudaError_t sim_cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp* op, unsigned long long flags, cudaStream_t stream) {
    return call_since(13020, cuMemcpy3DWithAttributesAsync, op, flags, driver_stream(stream));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
