// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__global__ void set(int* to, int value) { *to = value; }
__global__ void set(float* to, float value) { *to = value; }
namespace more {
__global__ void set(int* to, const int* value) { *to = *value; }
__global__ void set(int* to, unsigned value) { *to = value; }
}
