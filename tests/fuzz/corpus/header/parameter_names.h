// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: parameters have the names of template variables or types, or have no name.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyBox_st *toyBox;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyLocals(int *value, int *value2, int status, int result, int entry, int library);
toyStatus toyUnnamed(int, toyBox, const char *, float arg1);
/** @} */

#endif
