/* SPDX-FileCopyrightText: The cubind authors */
/* SPDX-License-Identifier: Apache-2.0 */

/* What the programs of this folder have in common. */

#ifndef CUBIND_BENCHMARKS_STARTUP_CLOCK_H
#define CUBIND_BENCHMARKS_STARTUP_CLOCK_H

#include <stdio.h>
#include <time.h>

/* On the clock that processes share. */
static inline long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* When the process was there, and how much of its time two functions of the driver had. */
static inline void tell(long long initialize, long long retain) {
    printf("%lld %lld\n", nanoseconds(), initialize + retain);
}

#endif
