// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cuda_fp8.h

#include <cuda_fp8.h>
__global__ void narrow(__nv_fp8_e4m3 a, const __nv_fp8_e5m2* b, __nv_fp8x4_e4m3 c) {}
