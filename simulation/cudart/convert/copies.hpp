// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// One side of a copy: an array, or memory of the kind that the copy's direction states.
struct Side {
    CUmemorytype type = CU_MEMORYTYPE_UNIFIED;
    void* pointer = nullptr;
    CUarray array = nullptr;
    std::size_t x = 0;  ///< in bytes
    std::size_t y = 0;
    std::size_t z = 0;
    std::size_t pitch = 0;
    std::size_t height = 0;  ///< rows of a slice
};

/// A copy of a box. Width is in bytes.
struct BoxCopy {
    Side from;
    Side to;
    std::size_t width = 0;
    std::size_t height = 1;
    std::size_t depth = 1;

    bool is_empty() const noexcept { return width == 0 || height == 0 || depth == 0; }
};

/// Returns memory as a side of a copy. The types of both sides follow from the copy's direction, see set_direction().
Side memory_side(const void* pointer, std::size_t pitch, std::size_t height = 0) noexcept;
/// Returns an array as a side of a copy. x is in bytes.
Side array_side(cudaArray_const_t array, std::size_t x, std::size_t y) noexcept;

/// Sets the memory types of both sides. Returns cudaErrorInvalidMemcpyDirection if the direction is unknown, or if it is from or
/// to the host on the side of an array.
cudaError_t set_direction(BoxCopy& copy, cudaMemcpyKind kind) noexcept;

/// Returns the driver's description of the copy.
CUDA_MEMCPY3D to_driver(const BoxCopy& copy) noexcept;

/// Returns the driver's description of a copy between contexts, without the contexts.
CUDA_MEMCPY3D_PEER as_peers(const CUDA_MEMCPY3D& copy) noexcept;

/// Performs the copy in the thread's context: in a stream, or before it returns if `stream` is null.
cudaError_t run(const BoxCopy& copy, const cudaStream_t* stream);

/// Writes the bytes of an element of the array. Requires a current context.
cudaError_t read_element_size(cudaArray_const_t array, std::size_t& size) noexcept;

/// Converts the parameters of cudaMemcpy3D. Requires a current context, because positions in arrays are in elements.
cudaError_t to_box(const cudaMemcpy3DParms& parameters, BoxCopy& copy) noexcept;

/// Converts back what to_driver() returned for the parameters of cudaMemcpy3D, except for the logical width of memory.
cudaError_t from_driver(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& parameters) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::cudart
