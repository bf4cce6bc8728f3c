// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A library of CUDA_INJECTION64_PATH. It prints what it can do while the driver initializes: the driver answers, and initializes
// nothing twice.
#include <cstdio>
#include <dlfcn.h>

extern "C" int InitializeInjection() {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) return 0;
    const auto initialize = reinterpret_cast<int (*)(unsigned)>(::dlsym(driver, "cuInit"));
    const auto count_devices = reinterpret_cast<int (*)(int*)>(::dlsym(driver, "cuDeviceGetCount"));
    int devices = 0;
    const int initialized = initialize(0), counted = count_devices(&devices);
    std::printf("injected %d %d %d\n", initialized, counted, devices);
    std::fflush(stdout);
    return 1;
}
