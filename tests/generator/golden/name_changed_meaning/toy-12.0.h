// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: a name comes to mean a function of another signature, and the name of the old one is a symbol.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyTurn(int number);
/** @} */

#endif
