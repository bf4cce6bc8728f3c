// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: macros have values that are not integers. They must become neither integers nor types.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define TOY_COUNT 3
#define TOY_TEXT "a toy"
#define TOY_RATIO 0.5f
#define TOY_LIST {1, 2}

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPick(int count);
/** @} */

#endif
