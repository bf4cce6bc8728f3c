// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

static __global__ void hidden(int* p) { *p = 1; }
namespace {
__global__ void unnamed(int* p) { *p = 2; }
}
namespace part {
namespace {
__global__ void inside(int* p) { *p = 3; }
}
static __global__ void fixed(int* p) { *p = 4; }
}
__global__ void visible(int* p) { *p = 5; }
