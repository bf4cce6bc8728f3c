// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a public name refers to a function with another signature in the newer release, and the old function's symbol has that
// name.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define toyTurn toyTurn_v2

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyTurn(int number, float angle);
/** @} */

#endif
