// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/box.hpp"

#include <simulation/functions.hpp>

#include "machine/submit.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult copy_box(const Endpoint& to, const Endpoint& from, const BoxExtent& extent, CUstream stream, TransferMode mode) {
    if (extent.is_empty()) return transfer({}, {}, extent, stream, mode);
    const Valid<StreamCheck> checked(stream);
    Place target;
    Place source;
    if (const CUresult status = place_of(machine().arrays, to, extent, target)) return status;
    if (const CUresult status = place_of(machine().arrays, from, extent, source)) return status;
    return transfer(target, source, extent, stream, mode);
}

CUresult copy_2d(const CUDA_MEMCPY2D* c, CUstream stream, TransferMode mode) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box({c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0, c->dstPitch, 0, 0},
                    {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0, 0},
                    {c->WidthInBytes, c->Height}, stream, mode);
}

template <class Record>
CUresult copy_3d(const Record* c, CUstream stream, TransferMode mode) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box(target_of(*c), source_of(*c), {c->WidthInBytes, c->Height, c->Depth}, stream, mode);
}

}  // namespace

extern "C" {

CUresult sim_cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy) {
    return copy_2d(pCopy, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy) {
    return copy_2d(pCopy, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
    return copy_2d(pCopy, hStream, TransferMode::async);
}

CUresult sim_cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy) {
    return copy_3d(pCopy, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
    return copy_3d(pCopy, hStream, TransferMode::async);
}

CUresult sim_cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy) {
    return copy_3d(pCopy, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
    return copy_3d(pCopy, hStream, TransferMode::async);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
