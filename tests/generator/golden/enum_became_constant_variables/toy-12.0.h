// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: an enum becomes another name of an older enum, and its enumerators become constant variables with the same values.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum { TOY_ANY_RED = 4, TOY_ANY_BLUE = 6 } toyAnyColor;
typedef enum { TOY_RED = 4, TOY_BLUE = 6 } toyColor;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPaint(toyColor color);
/** @} */

#endif
