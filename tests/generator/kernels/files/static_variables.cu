// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

static __device__ int hidden = 1;
namespace part {
static __constant__ float scale[4];
namespace {
__device__ int inner;
}
}
__constant__ const int fixed = 7;
__global__ void use(int* p) { *p = hidden + part::inner + fixed; }
