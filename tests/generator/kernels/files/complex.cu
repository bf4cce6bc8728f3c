// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cuda/std/complex
// instance: rotate<double>

#include <cuda/std/complex>
template <class T>
__global__ void rotate(cuda::std::complex<T>* data, cuda::std::complex<T> by) { data[threadIdx.x] *= by; }
__global__ void conjugate(cuda::std::complex<float>* data) { data[threadIdx.x] = cuda::std::conj(data[threadIdx.x]); }
