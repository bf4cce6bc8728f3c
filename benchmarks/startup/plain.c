// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// The same program as layer.cpp, in C and with the functions of the driver.

#define _POSIX_C_SOURCE 199309L

#include <dlfcn.h>

#include "clock.h"

static int retain_and_set(void* driver) {
    int (*version)(int*) = (int (*)(int*))dlsym(driver, "cuDriverGetVersion");
    int (*init)(unsigned int) = (int (*)(unsigned int))dlsym(driver, "cuInit");
    int (*get_device)(int*, int) = (int (*)(int*, int))dlsym(driver, "cuDeviceGet");
    int (*retain)(void**, int) = (int (*)(void**, int))dlsym(driver, "cuDevicePrimaryCtxRetain");
    int (*set_current)(void*) = (int (*)(void*))dlsym(driver, "cuCtxSetCurrent");
    if (version == NULL || init == NULL || get_device == NULL || retain == NULL || set_current == NULL) return 1;
    int number = 0;
    int device = 0;
    void* context = NULL;
    if (version(&number) != 0) return 1;
    const long long start = nanoseconds();
    if (init(0) != 0) return 1;
    const long long initialized = nanoseconds();
    if (get_device(&device, 0) != 0) return 1;
    const long long found = nanoseconds();
    if (retain(&context, device) != 0) return 1;
    const long long retained = nanoseconds();
    if (set_current(context) != 0) return 1;
    print_times(initialized - start, retained - found);
    return 0;
}

int main(void) {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL || retain_and_set(driver) != 0) {
        fputs("no GPU: the driver cannot be loaded or has no device\n", stderr);
        return 77;
    }
    return 0;
}
