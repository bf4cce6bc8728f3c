// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program, and a library, that contain a stand-in for NVIDIA's static runtime library. The simulation redirects its functions,
// unless the stand-in is one of CUDA 12.
#include <cstdio>

#include "static_runtime.hpp"

// Prints the results of the calls. Returns the number of calls that arrived at the stand-in.
extern "C" [[gnu::visibility("default")]] int call_runtime() {
    int count = 0;
    const int counted = cudaGetDeviceCount(&count);
    Pitched memory{};
    const int allocated = cudaMalloc3D(&memory, {100, 20, 3});  // the extent is passed on the stack
    std::printf("%d %d, %d %d %zu %zu, ", counted, count, allocated, memory.pointer != nullptr ? 1 : 0, memory.width,
                memory.height);
    std::printf("%d\n", cudaFree(memory.pointer));
    std::fflush(stdout);
    return calls_of_stand_in;
}

int main() {
    return call_runtime();
}
