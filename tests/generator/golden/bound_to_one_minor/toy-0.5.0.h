// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the next minor version has another signature and another function, which are not bound.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
typedef struct {
    int field;
} toyHandle;

toyStatus toyVersion(int *version);
toyStatus toyTurn(toyHandle *handle, double angle);
toyStatus toyFresh(int number);
/** @} */

#endif
