// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: parameters are declared as arrays, which C passes as pointers to the first element.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef unsigned int toyRow[32];

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyGetRows(toyRow *rows[], int set);
toyStatus toySetExtent(const int extent[3]);
toyStatus toyGetNames(int count, const char *names[]);

// The header states the number of elements, in place or by a typedef.
toyStatus toyGetSizes(int sizes[3]);
toyStatus toyGetRow(toyRow row);
toyStatus toySetRow(const toyRow row);
toyStatus toyGetGrid(float grid[2][4]);
toyStatus toySetNames(const char *const names[2]);
toyStatus toyCopyRow(toyRow *row);
/** @} */

#endif
