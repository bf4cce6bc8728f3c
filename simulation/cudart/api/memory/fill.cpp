// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// The rows of all slices follow each other, because a slice of pitched memory has `ysize` rows. Slices of fewer rows are filled
// one by one.
cudaError_t fill_box(const cudaPitchedPtr& memory, int value, const cudaExtent& extent, const cudaStream_t* stream) {
    if (const cudaError_t status = bind_context()) return status;
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
    const bool is_row = extent.height == 1 && extent.depth == 1;
    if ((extent.width > memory.pitch && !is_row) || extent.height > memory.ysize) return cudaErrorInvalidValue;
    const bool has_whole_slices = extent.height == memory.ysize || extent.depth == 1;
    const std::size_t fills = has_whole_slices ? 1 : extent.depth;
    const std::size_t rows = has_whole_slices ? extent.height * extent.depth : extent.height;
    const auto byte = static_cast<unsigned char>(value);
    for (std::size_t index = 0; index < fills; ++index) {
        const CUdeviceptr start = as<CUdeviceptr>(memory.ptr) + index * memory.ysize * memory.pitch;
        const auto fill = thread_state.uses_per_thread_stream ? cuMemsetD2D8_v2_ptds : cuMemsetD2D8_v2;
        const CUresult status = stream == nullptr
                                    ? fill(start, memory.pitch, byte, extent.width, rows)
                                    : cuMemsetD2D8Async(start, memory.pitch, byte, extent.width, rows, driver_stream(*stream));
        if (status != CUDA_SUCCESS) return status_of(status);
    }
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t sim_cudaMemset(void* devPtr, int value, std::size_t count) {
    if (const cudaError_t status = bind_context()) return status;
    if (count == 0) return cudaSuccess;
    const auto fill = thread_state.uses_per_thread_stream ? cuMemsetD8_v2_ptds : cuMemsetD8_v2;
    return status_of(fill(as<CUdeviceptr>(devPtr), static_cast<unsigned char>(value), count));
}

cudaError_t sim_cudaMemsetAsync(void* devPtr, int value, std::size_t count, cudaStream_t stream) {
    if (const cudaError_t status = bind_context()) return status;
    if (count == 0) return cudaSuccess;
    return call(cuMemsetD8Async, devPtr, static_cast<unsigned char>(value), count, driver_stream(stream));
}

cudaError_t sim_cudaMemset2D(void* devPtr, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return fill_box({devPtr, pitch, width, height}, value, {width, height, 1}, nullptr);
}

cudaError_t sim_cudaMemset2DAsync(void* devPtr, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                  cudaStream_t stream) {
    return fill_box({devPtr, pitch, width, height}, value, {width, height, 1}, &stream);
}

cudaError_t sim_cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
    return fill_box(pitchedDevPtr, value, extent, nullptr);
}

cudaError_t sim_cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream) {
    return fill_box(pitchedDevPtr, value, extent, &stream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
