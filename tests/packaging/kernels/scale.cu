// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

template <class T>
__global__ void scale(T* numbers, T factor) {
    numbers[threadIdx.x] *= factor;
}
