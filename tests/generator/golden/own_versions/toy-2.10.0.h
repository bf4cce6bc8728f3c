// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The next version, which follows 2.9.3 although its text precedes that in the order of strings.
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
