// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a _v2 function without a renaming macro is separate from the function without the suffix.
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
