// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: library.json refuses versions before 2.10.0, because they write a larger record than newer headers declare. A function
// that only a refused version has is not bound.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
typedef struct {
    unsigned char data[1024];
} toyHandle;

toyStatus toyVersion(int *version);
toyStatus toyInit(toyHandle *handle);
toyStatus toyOld(int number);
/** @} */

#endif
