// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: functions use types of the C library and of POSIX, which the generated code takes from the same headers: structs with a
// public layout by value, and structs with a private layout only by pointer. A typedef of a number becomes that number.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

typedef struct sockaddr toyAddress;

typedef struct toyAlarm {
    int number;
    struct timespec at;
    const toyAddress *from;
} toyAlarm;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyLog(FILE *file, DIR *folder);
toyStatus toyWait(toyAlarm alarm, struct timespec limit, struct timespec *left);
toyStatus toyRead(void *target, size_t size, off_t offset, loff_t end, ssize_t *read);
toyStatus toySend(const struct sockaddr *address, const toyAddress *other);
/** @} */

#endif
