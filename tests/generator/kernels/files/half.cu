// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cuda_fp16.h
// instance: scale<__half>
// instance: scale<__nv_bfloat16>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Pair { half first; __half2 both; };
template <class T>
__global__ void scale(T* data, T factor) { data[threadIdx.x] = data[threadIdx.x] * factor; }
__global__ void halves(half a, __half2 b, __nv_bfloat16 c, __nv_bfloat162 d, Pair e) {}
