// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__global__ void scale(double* numbers, double factor) {
    numbers[threadIdx.x] *= factor;
}
