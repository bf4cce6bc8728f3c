// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: constants that the library exports as variables, of which a later release adds and removes some.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { TOY_RED = 4, TOY_BLUE = 6 } toyColor;
typedef struct toyPrecision *toyPrecision_t;

extern const toyPrecision_t TOY_SINGLE;
extern const toyPrecision_t TOY_DOUBLE;
extern const char *const TOY_NAME;

// No functions return these: an array, a variable that programs may change, and a reserved name.
extern const int TOY_TABLE[4];
extern int TOY_COUNT;
extern const int _TOY_RESERVED;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyCompute(const toyPrecision_t precision);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
