// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include "shapes/circle.hpp"
namespace shapes {
/// Grows a circle.
template <class T>
__global__ void grow(Circle* circle, T factor) { circle->radius *= factor; }
__global__ inline void shrink(Circle* circle) { circle->radius /= 2; }
}
