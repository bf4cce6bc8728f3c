// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: this is the oldest version that is not refused.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
typedef struct {
    unsigned char data[512];
} toyHandle;

toyStatus toyVersion(int *version);
toyStatus toyInit(toyHandle *handle);
/** @} */

#endif
