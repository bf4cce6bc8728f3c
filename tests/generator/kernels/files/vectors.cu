// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__global__ void vectors(char1 a, uchar2 b, short3 c, ushort4 d, int1 e, int2 f, int3 g, int4 h, uint2 i, long2 j, ulonglong2 k,
                        float1 l, float2 m, float3 n, float4 o, double2 p, double3 q, dim3 r, uint3 s) {}
__global__ void arrays(float4* a, const int2* b) {}
struct Box { float3 low, high; int2 cell; };
__global__ void boxes(Box box) {}
