// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a field of a record moves into a union, then the record grows.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyParams_st {
    int kind;
    union {
        int depth;
        unsigned int mask;
    };
    int reserved[4];
} toyParams;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toySet(const toyParams *params);
/** @} */

#endif
