// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: macros whose values are no integers: neither may become an integer, nor a type.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define TOY_COUNT 3
#define TOY_TEXT "a toy"
#define define... 0.5f
#define TOY_LIST {1, 2}

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyPick(int count);
/** @} */

#endif
