// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: some functions return the status as an int. Others return a number of the same type, which is not a status.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
int toyOpen(int *number);
int toyClose(int number);
int toyCount(void);
/** @} */

#endif
