// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: functions return a struct whose first field is the status. Functions that return a number, a negative one for an error, do
// not return 0 if the library is missing.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <sys/types.h>

typedef struct toyError {
    toyStatus err;
    int detail;
} toyError;
typedef struct toyError toyError_t;

enum toyShape { TOY_ROUND = 0, TOY_SQUARE = 1 };

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyError_t toyOpen(int *number);
toyError_t toyCopy(int number, int *first, int *second);
toyError_t toyClose(int number);
ssize_t toyRead(int number);
int toyCount(void);
enum toyShape toyShapeOf(int number);
unsigned int toyVersion(void);
/** @} */

#endif
