// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a field is a 2D array of a struct that is defined in place.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyTable_st {
    struct toyCell_st {
        unsigned char tag;
        unsigned int value;
    } cells[2][3];
    struct {
        short low;
        short high;
    } ranges[4][2];
} toyTable;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyShowTable(const toyTable *table);
/** @} */

#endif
