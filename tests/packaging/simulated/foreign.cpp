// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that does not use cubind.
#include <cstdio>
#include <dlfcn.h>

int main() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) return 1;
    const auto initialize = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
    const auto count = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
    int devices = 0;
    if (initialize(0) != 0 || count(&devices) != 0) return 1;
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == nullptr) return 1;
    int devices_of_runtime = 0;
    if (reinterpret_cast<int (*)(int*)>(dlsym(runtime, "cudaGetDeviceCount"))(&devices_of_runtime) != 0) return 1;
    void* const management = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (management == nullptr) return 1;
    unsigned devices_of_management = 0;
    if (reinterpret_cast<int (*)()>(dlsym(management, "nvmlInit_v2"))() != 0) return 1;
    if (reinterpret_cast<int (*)(unsigned*)>(dlsym(management, "nvmlDeviceGetCount_v2"))(&devices_of_management) != 0) return 1;
    std::printf("%d devices, %d in the runtime library, %u in NVML\n", devices, devices_of_runtime, devices_of_management);
}
