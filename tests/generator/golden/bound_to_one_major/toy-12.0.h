// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a release of another major changes a signature and a layout in place. A library that is bound to the older major has
// the older signature and layout.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toySize_st {
    int width;
} toySize;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyVersion(int *version);
toyStatus toyGrow(const toySize *size);
/** @} */

#endif
