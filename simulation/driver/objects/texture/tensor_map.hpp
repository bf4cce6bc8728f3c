// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstdint>

/// The checks and the encoding of tensor maps. The rules and the bytes are those of an NVIDIA H200 with driver 580.159.04,
/// derived from 100,000 of its answers.
namespace CUBIND_NAMESPACE::sim {

using namespace driver;

/// The properties of a device on which its tensor maps depend.
struct TensorMapDevice {
    int major;                ///< of the compute capability
    std::uint64_t max_bytes;  ///< of a tile: the shared memory of a multiprocessor
};

/// A tensor, with the parameters that all modes have. Pointers may be null, which the checks reject.
struct TensorDescription {
    CUtensorMapDataType type;
    cuuint32_t rank;
    const void* address;
    const cuuint64_t* shape;
    const cuuint64_t* strides;  ///< of each dimension but the innermost
    const cuuint32_t* element_strides;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion l2_promotion;
    CUtensorMapFloatOOBfill oob_fill;
};

/// The number of pixels and channels that a copy reads.
struct TensorColumns {
    cuuint32_t channels_per_pixel;
    cuuint32_t pixels_per_column;
};

/// Encodes a map for tiles of the shape `box`. Without success, the map is unchanged.
CUresult encode_tiled(CUtensorMap* map, const TensorDescription& tensor, const cuuint32_t* box, const TensorMapDevice& device);

/// Encodes a map for columns of pixels. The corners have rank - 2 numbers. Without success, the map is unchanged.
CUresult encode_im2col(CUtensorMap* map, const TensorDescription& tensor, const int* lower, const int* upper,
                       const TensorColumns& columns, const TensorMapDevice& device);

/// Encodes a map for columns of pixels along the width. Without success, the map is unchanged.
CUresult encode_im2col_wide(CUtensorMap* map, const TensorDescription& tensor, int lower_width, int upper_width,
                            const TensorColumns& columns, CUtensorMapIm2ColWideMode mode, const TensorMapDevice& device);

/// Replaces the address in a map. Without success, the map is unchanged.
CUresult replace_address(CUtensorMap* map, const void* address, const TensorMapDevice& device);

}  // namespace CUBIND_NAMESPACE::sim
