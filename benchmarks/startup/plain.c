// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// What layer.cpp does, in C and with the driver's own functions.

#define _POSIX_C_SOURCE 199309L

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static int retain_and_set(void* driver) {
    int (*init)(unsigned int) = (int (*)(unsigned int))dlsym(driver, "cuInit");
    int (*get_device)(int*, int) = (int (*)(int*, int))dlsym(driver, "cuDeviceGet");
    int (*retain)(void**, int) = (int (*)(void**, int))dlsym(driver, "cuDevicePrimaryCtxRetain");
    int (*set_current)(void*) = (int (*)(void*))dlsym(driver, "cuCtxSetCurrent");
    int device = 0;
    void* context = NULL;
    return init == NULL || get_device == NULL || retain == NULL || set_current == NULL || init(0) != 0 ||
           get_device(&device, 0) != 0 || retain(&context, device) != 0 || set_current(context) != 0;
}

int main(void) {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL || retain_and_set(driver) != 0) {
        fputs("no GPU: the driver cannot be loaded, or has no device\n", stderr);
        return 77;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
    return 0;
}
