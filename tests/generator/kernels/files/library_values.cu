// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cuda/std/span
// toolkit: cuda/std/array

#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
struct Group { cuda::std::array<short, 3> steps; cuda::std::pair<int, char> mark; };
__global__ void values(cuda::std::array<float, 4> a, cuda::std::span<int> b, cuda::std::span<const double, 3> c,
                       cuda::std::pair<float, double> d, cuda::std::tuple<int, char> e, Group f) {}
