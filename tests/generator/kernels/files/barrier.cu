// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cuda/barrier

#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_device>;
__device__ int arrivals;
__global__ void arrive(Barrier* barrier, int* out) {
    barrier->arrive_and_wait();
    *out = arrivals;
}
