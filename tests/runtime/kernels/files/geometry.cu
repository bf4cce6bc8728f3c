// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

/// Multiplies the first `n` numbers by a factor.
template <class T, int n>
__global__ void scale(T* numbers, T factor) {
    if (threadIdx.x < n) numbers[threadIdx.x] *= factor;
}

__global__ void increase(int* numbers, int by = 1) {
    numbers[threadIdx.x] += by;
}

__global__ void increase(float* numbers, float by = 0.5f) {
    numbers[threadIdx.x] += by;
}

namespace geometry {

struct Line {
    int2 from;
    int2 to;
};

/// The factors of the three extents.
__constant__ float weights[3];
__device__ int calls;

/// Computes the weighted volume of a box.
/// Counts its calls.
__global__ void volume(shapes::Box box, float* out) {
    *out = 1;
    for (int i = 0; i < 3; ++i) *out *= (box.high[i] - box.low[i]) * weights[i];
    atomicAdd(&calls, 1);
}

__global__ void corner(const shapes::Box* box, shapes::Side side, float3* out) {
    const float* corner = side == shapes::Side::low ? box->low : box->high;
    *out = make_float3(corner[0], corner[1], corner[2]);
}

__global__ void length(Line line, int* out) {
    *out = abs(line.to.x - line.from.x) + abs(line.to.y - line.from.y);
}

}  // namespace geometry

__managed__ int total = 5;

extern "C" __global__ void __launch_bounds__(64) add_to_total(float4 value) {
    total += static_cast<int>(value.x + value.y + value.z + value.w);
}
