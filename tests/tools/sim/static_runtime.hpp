// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// A stand-in for NVIDIA's static runtime library, of which it has a few functions. They return a status that no library has.
constexpr int status_of_stand_in = 12345;

struct Extent {
    std::size_t width, height, depth;
};
struct Pitched {
    void* pointer;
    std::size_t pitch, width, height;
};

struct ChannelFormat {
    int x, y, z, w, kind;
};

#pragma GCC visibility push(hidden)
extern "C" {
/// How often a function of the stand-in was called.
extern int calls_of_stand_in;

int cudaGetDeviceCount(int* count);
int cudaMalloc3D(Pitched* memory, Extent extent);
int cudaFree(void* memory);
const char* cudaGetErrorString(int error);
ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
/// A function that only libraries before CUDA 13 have. Only one of the programs defines it.
int cudaGetDeviceProperties_v2(void* properties, int device);
}
#pragma GCC visibility pop
