// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/registry.hpp"
#include "work/place.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The source or the destination of a copy of two or three dimensions, in the terms of the API's structs.
struct Endpoint {
    driver::CUmemorytype type = driver::CU_MEMORYTYPE_UNIFIED;
    const void* host = nullptr;
    driver::CUdeviceptr device = 0;
    driver::CUarray array = nullptr;
    std::size_t x = 0, y = 0, z = 0;
    std::size_t pitch = 0;
    std::size_t rows = 0;   ///< rows of a slice; 0 in two dimensions
    std::size_t level = 0;  ///< level of detail; only 0 is supported
};

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

/// Finds the place of one end of a copy that is not empty.
driver::CUresult place_of(const Registry<driver::CUarray, Array>& arrays, const Endpoint& end, const BoxExtent& extent,
                          Place& place);

/// Returns the end of a copy that has this place.
Endpoint end_of(const Place& place, const BoxExtent& extent);

/// Returns the parameters of a copy with these ends.
driver::CUDA_MEMCPY3D box_copy(const Endpoint& to, const Endpoint& from, const BoxExtent& extent);

}  // namespace CUBIND_NAMESPACE::sim
