// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "static_runtime.hpp"

#include <dlfcn.h>

// NVIDIA's library asks the driver for private tables.
static void ask_for_private_tables() {
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
    void* const function = driver != nullptr ? dlsym(driver, "cuGetExportTable") : nullptr;
    const void* table = nullptr;
    const char id[16] = {};
    if (function != nullptr) reinterpret_cast<int (*)(const void**, const char*)>(function)(&table, id);
}

// The table of symbols has the names, although the functions are hidden, as in programs that contain NVIDIA's library.
#pragma GCC visibility push(hidden)
extern "C" {

extern int libcudart_static_stand_in;
int libcudart_static_stand_in = 1;

int calls_of_stand_in = 0;

int cudaGetDeviceCount(int* count) {
    ++calls_of_stand_in;
    ask_for_private_tables();
    *count = -1;
    return status_of_stand_in;
}

int cudaMalloc3D(Pitched* memory, Extent) {
    ++calls_of_stand_in;
    memory->pointer = nullptr;
    return status_of_stand_in;
}

int cudaFree(void*) {
    ++calls_of_stand_in;
    return status_of_stand_in;
}

const char* cudaGetErrorString(int) {
    ++calls_of_stand_in;
    return "stand-in";
}

ChannelFormat cudaCreateChannelDesc(int, int, int, int, int) {
    ++calls_of_stand_in;
    return {};
}

#ifdef CUBIND_TEST_OLDER
int cudaGetDeviceProperties_v2(void*, int) {
    return status_of_stand_in;
}
#endif

}  // extern "C"
#pragma GCC visibility pop
