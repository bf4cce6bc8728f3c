// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// instance: size<int>

template <class T>
__global__ void size(int* out) { *out = sizeof(T); }
template <>
__global__ void size<float>(int* out) { *out = -4; }
