// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__device__ int helper(int value) { return __popc(value) + __shfl_sync(0xffffffffu, value, 0); }
struct Functor {
    int base;
    __device__ int operator()(int value) const { return __clz(value) + base; }
};
__device__ constexpr int twice(int value) { return 2 * value; }
__global__ void compute(int* p, Functor f) {
    __shared__ int cache[32];
    extern __shared__ int dynamic[];
    cache[threadIdx.x] = helper(twice(p[threadIdx.x]));
    __syncthreads();
    dynamic[0] = cache[0];
    auto local = [&](int x) { return f(x) + dynamic[0]; };
    atomicAdd(p, local(cache[31]));
}
