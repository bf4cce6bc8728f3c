// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the library exports functions a second time under a name with a prefix. A function that begins with the prefix by
// chance is bound.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen(int number, const char *name);
toyStatus ptoyOpen(int box, const char *name);
toyStatus ptoyCheck(void);
/** @} */

#endif
