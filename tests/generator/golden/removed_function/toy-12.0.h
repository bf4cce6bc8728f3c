// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a newer release removes functions and a type. Libraries still export the symbols, so they stay bound.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyHinge_st {
    int angle;
} toyHinge;

#define toyTurn toyTurn_v2

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen(int number);
toyStatus toyTurn(int number);
toyStatus toyBend(const toyHinge *hinge);
/** @} */

#endif
