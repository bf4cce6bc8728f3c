// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a #define has a name with dots, which is not a valid macro name.
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
