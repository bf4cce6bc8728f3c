// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/box.hpp"

#include <simulation/functions.hpp>

#include "copy/array_place.hpp"
#include "memory/address_space.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The source or the destination of a copy of two or three dimensions, in the terms of the API's structs.
struct Endpoint {
    CUmemorytype type;
    const void* host;
    CUdeviceptr device;
    CUarray array;
    std::size_t x, y, z;
    std::size_t pitch;
    std::size_t rows;   ///< rows of a slice; 0 in two dimensions
    std::size_t level;  ///< level of detail; only 0 is supported
};

CUresult place_of(const Endpoint& end, const BoxExtent& extent, Place& place) {
    switch (end.type) {
        case CU_MEMORYTYPE_HOST:
            place = {.side = Side::host, .address = reinterpret_cast<std::uintptr_t>(end.host)};
            break;
        case CU_MEMORYTYPE_DEVICE:
            place = {.side = Side::device, .address = end.device};
            break;
        case CU_MEMORYTYPE_UNIFIED:
            place = {.side = Side::any, .address = end.device};
            break;
        case CU_MEMORYTYPE_ARRAY:
            if (end.level != 0) return CUDA_ERROR_INVALID_VALUE;
            return place_in_array(end.array, end.x, end.y, end.z, extent, place);
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
    // Memory of the driver is checked, even if the caller calls it host memory: an offset must not lead out of it.
    if (AddressSpace::instance().contains(place.address)) place.side = Side::device;
    std::size_t row = 0;
    std::size_t rows = 0;
    if (__builtin_add_overflow(end.x, extent.width, &row) || __builtin_add_overflow(end.y, extent.height, &rows)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    // A pitch of 0 means contiguous rows.
    place.pitch = end.pitch != 0 ? end.pitch : row;
    if (place.pitch < row || (extent.depth > 1 && end.rows != 0 && end.rows < rows)) return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_mul_overflow(place.pitch, end.rows != 0 ? end.rows : rows, &place.slice)) return CUDA_ERROR_INVALID_VALUE;
    // If the offset leaves the allocation or the address space, the lookup of the memory fails.
    std::size_t lines = 0;
    std::size_t slices = 0;
    std::size_t offset = 0;
    const bool is_too_far = __builtin_mul_overflow(end.y, place.pitch, &lines) ||
                            __builtin_mul_overflow(end.z, place.slice, &slices) ||
                            __builtin_add_overflow(lines, slices, &offset) || __builtin_add_overflow(offset, end.x, &offset) ||
                            __builtin_add_overflow(place.address, offset, &place.address);
    return is_too_far || place.address == offset ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult copy_box(const Endpoint& to, const Endpoint& from, const BoxExtent& extent, CUstream stream, TransferMode mode) {
    if (extent.is_empty()) return transfer({}, {}, extent, stream, mode);
    const CurrentCheck context;
    if (context.failed()) return context.status;
    Place target;
    Place source;
    if (const CUresult status = place_of(to, extent, target)) return status;
    if (const CUresult status = place_of(from, extent, source)) return status;
    return transfer(target, source, extent, stream, mode);
}

CUresult copy_2d(const CUDA_MEMCPY2D* c, CUstream stream, TransferMode mode) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box({c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0, c->dstPitch, 0, 0},
                    {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0, 0},
                    {c->WidthInBytes, c->Height}, stream, mode);
}

// Converts CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER, which have fields of the same names.
template <class Record>
Endpoint target_of(const Record& c) {
    return {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray,  c.dstXInBytes,
            c.dstY,          c.dstZ,    c.dstPitch,  c.dstHeight, c.dstLOD};
}

template <class Record>
Endpoint source_of(const Record& c) {
    return {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray,  c.srcXInBytes,
            c.srcY,          c.srcZ,    c.srcPitch,  c.srcHeight, c.srcLOD};
}

template <class Record>
CUresult copy_3d(const Record* c, CUstream stream, TransferMode mode) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box(target_of(*c), source_of(*c), {c->WidthInBytes, c->Height, c->Depth}, stream, mode);
}

}  // namespace

CUresult places_of(const CUDA_MEMCPY3D& copy, Place& to, Place& from) {
    const BoxExtent extent{copy.WidthInBytes, copy.Height, copy.Depth};
    if (const CUresult status = place_of(target_of(copy), extent, to)) return status;
    return place_of(source_of(copy), extent, from);
}

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
