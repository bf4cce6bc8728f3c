// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: functions that return no status return what they return; what they fill in stays a parameter.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

typedef struct toyBox_st *toyBox;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
const char *toyText(toyStatus status);
size_t toyCount(void);
void toyReset(void);
int toyMeasure(toyBox box, double *grams);
/** @} */

#endif
