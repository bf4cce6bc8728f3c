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
/** @} */

#endif
