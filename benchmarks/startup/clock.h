/* SPDX-FileCopyrightText: The cubind authors */
/* SPDX-License-Identifier: Apache-2.0 */

/* Shared by the programs of this folder. */

#ifndef CUBIND_BENCHMARKS_STARTUP_CLOCK_H
#define CUBIND_BENCHMARKS_STARTUP_CLOCK_H

#include <stdio.h>
#include <time.h>

/* Returns the time of a clock that all processes share. */
static inline long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Prints the current time and the total time of two functions of the driver. */
static inline void print_times(long long initialize, long long retain) {
    printf("%lld %lld\n", nanoseconds(), initialize + retain);
}

#endif
