// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: an enum becomes another name of an older enum, and its enumerators become constant variables with the same values.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum { TOY_ANY_RED = 4, TOY_ANY_BLUE = 6 } toyAnyColor;
typedef toyAnyColor toyColor;
const toyColor TOY_RED = TOY_ANY_RED;
const toyColor TOY_BLUE = TOY_ANY_BLUE;

// Constant variables with other values, and variables that are no constants.
static const unsigned char TOY_LIMIT = 200;
static const double TOY_RATIO = 0.5;
static const char *const TOY_NAME = "toy";
static const int _TOY_RESERVED = 1;
extern int TOY_COUNT;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPaint(toyColor color);
/** @} */

#endif
