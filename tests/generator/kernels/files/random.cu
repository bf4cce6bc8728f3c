// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: curand_kernel.h
// toolkit: cuda/std/type_traits

#include <curand_kernel.h>
__global__ void seed(curandStatePhilox4_32_10_t* states, unsigned long long start) {
    curand_init(start, threadIdx.x, 0, &states[threadIdx.x]);
}
