// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a macro becomes an enumerator. In C++, a constant and an enumerator cannot share the name.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define TOY_FAST 1
#define TOY_SLOW 2

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyRun(unsigned int speed);
/** @} */

#endif
