// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Makes a context current through cubind. plain.c does the same without cubind.

#define _POSIX_C_SOURCE 199309L

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/driver/version.hpp>
#include <cubind/error.hpp>

#include "clock.h"

int main() {
    try {
        (void)cubind::check(cubind::driver::cuDriverGetVersion());  // loads the driver
        const long long start = nanoseconds();
        cubind::check(cubind::driver::cuInit(0));
        const long long initialized = nanoseconds();
        const cubind::Device device;
        const long long found = nanoseconds();
        (void)device.primary_context();
        const long long retained = nanoseconds();
        device.set_current();
        print_times(initialized - start, retained - found);
    } catch (const cubind::Error& error) {
        std::fprintf(stderr, "no GPU: %s\n", error.what());
        return 77;
    }
    return 0;
}
