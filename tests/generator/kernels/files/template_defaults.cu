// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// instance: blocks<float>
// instance: blocks<double, 2>
// instance: blocks<int, 2, long long>

constexpr int lanes = 32;
template <class T, int Warps = 4, class Sum = T>
__global__ void __launch_bounds__(Warps * lanes, 2) blocks(Sum* out, const T* in, int stride = 1) { *out = in[stride]; }
