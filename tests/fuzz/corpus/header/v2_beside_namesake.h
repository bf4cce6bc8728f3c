// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: a _v2 function that no macro renames is a function of its own beside its unsuffixed namesake.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyWait(void);
toyStatus toyWait_v2(int number);
/** @} */

#endif
