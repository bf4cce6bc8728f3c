// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

struct Unknown;
__global__ void pointers(int** a, const char* const* b, void* c, const volatile float* d, int (*e)[4], float f[8], int g[][3],
                         Unknown* h, double* __restrict__ const i) {}
