// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A library whose own versions number its spec. Its version function writes one number with other weights than its macro.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
typedef struct {
    int width;
} toySize;

toyStatus toyVersion(int *version);
toyStatus toyOld(toySize size);
/** @} */

#endif
