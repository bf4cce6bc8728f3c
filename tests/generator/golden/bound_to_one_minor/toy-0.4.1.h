// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: library.json binds one minor version, because the interface may change in the next.
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
toyStatus toyTurn(toyHandle *handle);
/** @} */

#endif
