// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: some functions do not return a status. Their wrappers return the same value, and outputs stay parameters.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

typedef struct toyBox_st *toyBox;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyStart(void);
const char *toyText(toyStatus status);
size_t toyCount(void);
void toyReset(void);
int toyMeasure(toyBox box, double *grams);
/** @} */

#endif
