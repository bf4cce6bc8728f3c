// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda/std/complex>
#include <cuda_fp16.h>

__global__ void twice(__half* number, cuda::std::complex<float> zero) {
    *number = __hadd(*number, *number) + __float2half(zero.real());
}
