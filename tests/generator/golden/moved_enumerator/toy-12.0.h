// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: an enumerator moves to another enum. In C++, only one of the two enums can have it.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyColor_enum {
    TOY_RED = 0,
    TOY_ROUND = 1
} toyColor;

typedef enum toyShape_enum {
    TOY_FLAT = 0
} toyShape;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPaint(toyColor color, toyShape shape);
/** @} */

#endif
