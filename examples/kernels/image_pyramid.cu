// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include "image.hpp"

/// The weights of the filter in one dimension, from the left neighbor but one to the right neighbor but one. Their sum is 1.
__constant__ float weights[5];

__device__ int clamped(int position, int size) {
    return min(max(position, 0), size - 1);
}

/// Converts a weighted mean to a pixel.
template <class Pixel>
__device__ Pixel pixel_of(float mean);
template <>
__device__ float pixel_of(float mean) {
    return mean;
}
template <>
__device__ unsigned char pixel_of(float mean) {
    return static_cast<unsigned char>(__float2int_rn(mean));
}

/// Halves an image. Each pixel of `small` is the weighted mean of 5 x 5 pixels of `large`. Pixels beyond an edge are those at the
/// edge.
template <class Pixel>
__global__ void __launch_bounds__(256) reduce(const Pixel* large, ImageSize large_size, Pixel* small, ImageSize small_size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= small_size.width || y >= small_size.height) return;
    float mean = 0;
    for (int row = 0; row < 5; ++row) {
        const Pixel* line = large + clamped(2 * y + row - 2, large_size.height) * large_size.width;
        float of_line = 0;
        for (int column = 0; column < 5; ++column) {
            of_line = fmaf(weights[column], static_cast<float>(line[clamped(2 * x + column - 2, large_size.width)]), of_line);
        }
        mean = fmaf(weights[row], of_line, mean);
    }
    small[y * small_size.width + x] = pixel_of<Pixel>(mean);
}
