// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: one release in the middle lacks an enumerator, a function and a type.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyColor_enum {
    TOY_RED = 0,
    TOY_PINK = 1,
    TOY_BLUE = 2
} toyColor;

typedef struct toyBrush_st {
    int width;
} toyBrush;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPaint(toyColor color);
toyStatus toyBrushUp(const toyBrush *brush);
/** @} */

#endif
