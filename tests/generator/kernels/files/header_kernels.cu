// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// include: headers
// instance: shapes::grow<float>

#include "shapes/kernels.cuh"
__global__ void own(int* p) { *p = 1; }
