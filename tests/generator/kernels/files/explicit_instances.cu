// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// instance: tools::scale<int, 3>

namespace tools {
struct Pair { int x, y; };
template <class T, int N = 2>
__global__ void __launch_bounds__(32 * N) scale(T* data, T factor) { data[N] = factor; }
// template __global__ void scale<bool>(bool*, bool);
template __global__ void scale<float>(float*, float);
template __global__ void __launch_bounds__(128) scale<double, 4>(double* data,
                                                                 double factor);  // over two lines
template
__global__ void scale<Pair>(Pair*, Pair);
}
template __global__ void tools::scale<long, 1>(long*, long);
