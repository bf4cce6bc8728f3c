// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: unless the user defines TOY_LOGS, a macro with parameters replaces a function.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen(int number);
#ifdef TOY_LOGS
toyStatus toyLog(int number);
#else
  #define toyLog(number) TOY_OK
#endif
/** @} */

#endif
