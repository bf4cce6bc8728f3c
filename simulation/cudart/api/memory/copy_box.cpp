// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/copies.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// A copy of rows. Pitches of memory are at least as long as a row, if there are several rows.
cudaError_t copy_rows(Side to, Side from, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      const cudaStream_t* stream) {
    BoxCopy copy{from, to, width, height, 1};
    if (copy.is_empty()) return bind_context();
    const auto is_too_short = [&](const Side& side) {
        return height > 1 && side.type != CU_MEMORYTYPE_ARRAY && side.pitch < width;
    };
    if (is_too_short(from) || is_too_short(to)) return cudaErrorInvalidPitchValue;
    if (const cudaError_t status = set_direction(copy, kind)) return status;
    return run(copy, stream);
}

cudaError_t copy_box(const cudaMemcpy3DParms* parameters, const cudaStream_t* stream) {
    BoxCopy copy;
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = to_box(*parameters, copy)) return status;
    const auto is_too_small = [&](const Side& side) {
        return side.type != CU_MEMORYTYPE_ARRAY && (side.pitch < copy.width || side.height < copy.height);
    };
    if (!copy.is_empty() && (is_too_small(copy.from) || is_too_small(copy.to))) return cudaErrorInvalidPitchValue;
    return run(copy, stream);
}

// Both sides are on devices, each in its device's context.
cudaError_t copy_box_of_peers(const cudaMemcpy3DPeerParms* parameters, const cudaStream_t* stream) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    BoxCopy copy;
    const cudaMemcpy3DParms same_device = {parameters->srcArray, parameters->srcPos,      parameters->srcPtr,
                                           parameters->dstArray, parameters->dstPos,      parameters->dstPtr,
                                           parameters->extent,   cudaMemcpyDeviceToDevice};
    if (const cudaError_t status = to_box(same_device, copy)) return status;
    const CUDA_MEMCPY3D box = to_driver(copy);
    CUDA_MEMCPY3D_PEER peers = as_peers(box);
    if (const cudaError_t status = retain_primary(parameters->srcDevice, peers.srcContext)) return status;
    if (const cudaError_t status = retain_primary(parameters->dstDevice, peers.dstContext)) return status;
    if (copy.is_empty()) return cudaSuccess;
    if (stream != nullptr) return status_of(cuMemcpy3DPeerAsync(&peers, driver_stream(*stream)));
    return status_of(thread_state.uses_per_thread_stream ? cuMemcpy3DPeer_ptds(&peers) : cuMemcpy3DPeer(&peers));
}

}  // namespace

extern "C" {

cudaError_t sim_cudaMemcpy2D(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
                             std::size_t height, cudaMemcpyKind kind) {
    return copy_rows(memory_side(dst, dpitch), memory_side(src, spitch), width, height, kind, nullptr);
}

cudaError_t sim_cudaMemcpy2DAsync(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_rows(memory_side(dst, dpitch), memory_side(src, spitch), width, height, kind, &stream);
}

cudaError_t sim_cudaMemcpy2DToArray(cudaArray_t dst, std::size_t wOffset, std::size_t hOffset, const void* src,
                                    std::size_t spitch, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return copy_rows(array_side(dst, wOffset, hOffset), memory_side(src, spitch), width, height, kind, nullptr);
}

cudaError_t sim_cudaMemcpy2DToArrayAsync(cudaArray_t dst, std::size_t wOffset, std::size_t hOffset, const void* src,
                                         std::size_t spitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
    return copy_rows(array_side(dst, wOffset, hOffset), memory_side(src, spitch), width, height, kind, &stream);
}

cudaError_t sim_cudaMemcpy2DFromArray(void* dst, std::size_t dpitch, cudaArray_const_t src, std::size_t wOffset,
                                      std::size_t hOffset, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return copy_rows(memory_side(dst, dpitch), array_side(src, wOffset, hOffset), width, height, kind, nullptr);
}

cudaError_t sim_cudaMemcpy2DFromArrayAsync(void* dst, std::size_t dpitch, cudaArray_const_t src, std::size_t wOffset,
                                           std::size_t hOffset, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                           cudaStream_t stream) {
    return copy_rows(memory_side(dst, dpitch), array_side(src, wOffset, hOffset), width, height, kind, &stream);
}

cudaError_t sim_cudaMemcpy2DArrayToArray(cudaArray_t dst, std::size_t wOffsetDst, std::size_t hOffsetDst, cudaArray_const_t src,
                                         std::size_t wOffsetSrc, std::size_t hOffsetSrc, std::size_t width, std::size_t height,
                                         cudaMemcpyKind kind) {
    return copy_rows(array_side(dst, wOffsetDst, hOffsetDst), array_side(src, wOffsetSrc, hOffsetSrc), width, height, kind,
                     nullptr);
}

cudaError_t sim_cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    return copy_box(p, nullptr);
}

cudaError_t sim_cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
    return copy_box(p, &stream);
}

cudaError_t sim_cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
    return copy_box_of_peers(p, nullptr);
}

cudaError_t sim_cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
    return copy_box_of_peers(p, &stream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
