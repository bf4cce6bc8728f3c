// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/transfer.hpp"

namespace CUBIND_NAMESPACE::sim {

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

/// Finds the memory of one end of a copy.
CUresult place_of(const Endpoint& end, const BoxExtent& extent, Place& place);

/// Converts CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER, which have fields of the same names.
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

/// Finds both ends of a copy that is not empty.
CUresult places_of(const CUDA_MEMCPY3D& copy, Place& to, Place& from);

}  // namespace CUBIND_NAMESPACE::sim
