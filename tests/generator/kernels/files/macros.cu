// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#define UNARY(name, expression)                       \
    __global__ void name##_kernel(float* x, int n) {  \
        if (threadIdx.x < n) {                        \
            const float v = x[threadIdx.x];           \
            x[threadIdx.x] = expression;              \
        }                                             \
    }
UNARY(square, v* v)
UNARY(negate, -v)
#define KERNEL extern "C" __global__ void
KERNEL named(int* p) { *p = 1; }
