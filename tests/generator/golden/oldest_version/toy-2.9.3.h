// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A library of which libraries before 2.10.0 are refused, because callers had to allocate a larger record. Nothing is bound that
// only this version has.
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
