// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: version 2.10.0 follows 2.9.3, although the string "2.10.0" precedes "2.9.3".
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
typedef struct {
    int width;
    int height;
} toySize;

toyStatus toyVersion(int *version);
toyStatus toyFresh(toySize size);
/** @} */

#endif
