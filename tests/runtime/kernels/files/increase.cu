// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__global__ void increase(int* numbers) {
    numbers[threadIdx.x] += STEP;
}
