// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstdint>

/// The checks and the encoding of tensor maps. The rules and the bytes are those of an NVIDIA H200 with driver 580.159.04,
/// derived from 100,000 of its answers.
namespace CUBIND_NAMESPACE::sim {

/// The properties of a device on which its tensor maps depend.
struct TensorMapDevice {
    int major;                ///< of the compute capability
    std::uint64_t max_bytes;  ///< of a tile: the shared memory of a multiprocessor
};

/// A tensor, with the parameters that all modes have. Pointers may be null, which the checks reject.
struct TensorDescription {
    driver::CUtensorMapDataType type;
    driver::cuuint32_t rank;
    const void* address;
    const driver::cuuint64_t* shape;
    const driver::cuuint64_t* strides;  ///< of each dimension but the innermost
    const driver::cuuint32_t* element_strides;
    driver::CUtensorMapInterleave interleave;
    driver::CUtensorMapSwizzle swizzle;
    driver::CUtensorMapL2promotion l2_promotion;
    driver::CUtensorMapFloatOOBfill oob_fill;
};

/// The number of pixels and channels that a copy reads.
struct TensorColumns {
    driver::cuuint32_t channels_per_pixel;
    driver::cuuint32_t pixels_per_column;
};

/// Encodes a map for tiles of the shape `box`. Without success, the map is unchanged.
driver::CUresult encode_tiled(driver::CUtensorMap* map, const TensorDescription& tensor, const driver::cuuint32_t* box,
                              const TensorMapDevice& device);

/// Encodes a map for columns of pixels. The corners have rank - 2 numbers. Without success, the map is unchanged.
driver::CUresult encode_im2col(driver::CUtensorMap* map, const TensorDescription& tensor, const int* lower, const int* upper,
                               const TensorColumns& columns, const TensorMapDevice& device);

/// Encodes a map for columns of pixels along the width. Without success, the map is unchanged.
driver::CUresult encode_im2col_wide(driver::CUtensorMap* map, const TensorDescription& tensor, int lower_width, int upper_width,
                                    const TensorColumns& columns, driver::CUtensorMapIm2ColWideMode mode,
                                    const TensorMapDevice& device);

/// Replaces the address in a map. Without success, the map is unchanged.
driver::CUresult replace_address(driver::CUtensorMap* map, const void* address, const TensorMapDevice& device);

}  // namespace CUBIND_NAMESPACE::sim
