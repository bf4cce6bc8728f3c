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
extern const toyColor TOY_DEFAULT_COLOR;

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
