// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "convert/copies.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// The deprecated copies treat an array as one sequence of bytes, row by row.
struct Position {
    cudaArray_const_t array;
    std::size_t x;  ///< in bytes
    std::size_t y;
    std::size_t row = 0;  ///< bytes of a row of the array

    // The caller advances by no more than the rest of the row, or by whole rows.
    void advance(std::size_t count) noexcept {
        y += (x + count) / row;
        x = (x + count) % row;
    }
};

cudaError_t read_row_size(Position& position) {
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    std::size_t size = 0;
    if (const CUresult status = cuArray3DGetDescriptor_v2(&description, as<CUarray>(position.array))) return status_of(status);
    if (const cudaError_t status = read_element_size(position.array, size)) return status;
    position.row = description.Width * size;
    return position.x < position.row ? cudaSuccess : cudaErrorInvalidValue;
}

// Returns the bytes of the next copy of a box that starts at the position: the rest of the row, whole rows, or the last part.
std::size_t next_part(const Position& position, std::size_t count) noexcept {
    if (position.x != 0 || count < position.row) return std::min(count, position.row - position.x);
    return count - count % position.row;
}

cudaError_t copy_part(Side to, Side from, std::size_t part, std::size_t row, cudaMemcpyKind kind, const cudaStream_t* stream) {
    const std::size_t width = std::min(part, row);
    BoxCopy copy{from, to, width, part / width, 1};
    if (const cudaError_t status = set_direction(copy, kind)) return status;
    return run(copy, stream);
}

cudaError_t copy_to_array(Position to, const void* source, std::size_t count, cudaMemcpyKind kind, const cudaStream_t* stream) {
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = read_row_size(to)) return status;
    for (const char* from = static_cast<const char*>(source); count != 0;) {
        const std::size_t part = next_part(to, count);
        const Side array = array_side(to.array, to.x, to.y);
        if (const cudaError_t status = copy_part(array, memory_side(from, to.row), part, to.row, kind, stream)) return status;
        to.advance(part);
        from += part;
        count -= part;
    }
    return cudaSuccess;
}

cudaError_t copy_from_array(void* target, Position from, std::size_t count, cudaMemcpyKind kind, const cudaStream_t* stream) {
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = read_row_size(from)) return status;
    for (char* to = static_cast<char*>(target); count != 0;) {
        const std::size_t part = next_part(from, count);
        const Side array = array_side(from.array, from.x, from.y);
        if (const cudaError_t status = copy_part(memory_side(to, from.row), array, part, from.row, kind, stream)) return status;
        from.advance(part);
        to += part;
        count -= part;
    }
    return cudaSuccess;
}

// Rows of both arrays end at different bytes, so that each copy ends at the first end of a row.
cudaError_t copy_array_to_array(Position to, Position from, std::size_t count, cudaMemcpyKind kind) {
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = read_row_size(to)) return status;
    if (const cudaError_t status = read_row_size(from)) return status;
    while (count != 0) {
        const std::size_t part = std::min({count, to.row - to.x, from.row - from.x});
        const Side source = array_side(from.array, from.x, from.y);
        if (const cudaError_t status = copy_part(array_side(to.array, to.x, to.y), source, part, part, kind, nullptr))
            return status;
        to.advance(part);
        from.advance(part);
        count -= part;
    }
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t sim_cudaMemcpyToArray(cudaArray_t dst, std::size_t wOffset, std::size_t hOffset, const void* src, std::size_t count,
                                  cudaMemcpyKind kind) {
    return copy_to_array({dst, wOffset, hOffset}, src, count, kind, nullptr);
}

cudaError_t sim_cudaMemcpyToArrayAsync(cudaArray_t dst, std::size_t wOffset, std::size_t hOffset, const void* src,
                                       std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_to_array({dst, wOffset, hOffset}, src, count, kind, &stream);
}

cudaError_t sim_cudaMemcpyFromArray(void* dst, cudaArray_const_t src, std::size_t wOffset, std::size_t hOffset, std::size_t count,
                                    cudaMemcpyKind kind) {
    return copy_from_array(dst, {src, wOffset, hOffset}, count, kind, nullptr);
}

cudaError_t sim_cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, std::size_t wOffset, std::size_t hOffset,
                                         std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_from_array(dst, {src, wOffset, hOffset}, count, kind, &stream);
}

cudaError_t sim_cudaMemcpyArrayToArray(cudaArray_t dst, std::size_t wOffsetDst, std::size_t hOffsetDst, cudaArray_const_t src,
                                       std::size_t wOffsetSrc, std::size_t hOffsetSrc, std::size_t count, cudaMemcpyKind kind) {
    return copy_array_to_array({dst, wOffsetDst, hOffsetDst}, {src, wOffsetSrc, hOffsetSrc}, count, kind);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
