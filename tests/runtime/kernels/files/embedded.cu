// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__constant__ int summand[1];

template <int factor>
__global__ void multiply_and_add(int* numbers) {
    numbers[threadIdx.x] = factor * numbers[threadIdx.x] + summand[0];
}

namespace inner {

__global__ void negate(int* numbers) {
    numbers[threadIdx.x] = -numbers[threadIdx.x];
}

}  // namespace inner
