// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: an enumerator moves to another enum; in C++ the two may not both have it.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyColour_enum {
    TOY_RED = 0
} toyColour;

typedef enum toyShape_enum {
    TOY_FLAT = 0,
    TOY_ROUND = 5
} toyShape;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPaint(toyColour colour, toyShape shape);
/** @} */

#endif
