// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// instance: scale<float>
// instance: scale<double>
// instance: convert<float, int>
// instance: tools::swap<unsigned char>

template <class T>
__global__ void scale(T* data, T factor) { data[threadIdx.x] *= factor; }
template <typename To, typename From = To>
__global__ void convert(To* to, const From* from) { to[threadIdx.x] = static_cast<To>(from[threadIdx.x]); }
namespace tools {
template <class T>
__global__ void swap(T* left, T* right) {
    const T kept = *left;
    *left = *right;
    *right = kept;
}
}
