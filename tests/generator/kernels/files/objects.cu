// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

struct __align__(64) CUtensorMap { unsigned long long opaque[16]; };
__global__ void objects(cudaTextureObject_t texture, cudaSurfaceObject_t surface, const __grid_constant__ CUtensorMap map) {}
