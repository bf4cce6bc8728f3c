// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: default arguments are expressions with a sign, an operator, nullptr or sizeof.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

enum toyFlag { TOY_SLOW = 1, TOY_LOUD = 4 };

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyShift(int by = -1);
toyStatus toyMask(unsigned int mask = 1 | 4);
toyStatus toyFlags(unsigned int flags = TOY_SLOW | TOY_LOUD);
toyStatus toyText(const char *text = nullptr);
toyStatus toyBytes(size_t bytes = sizeof(int));
/** @} */

#endif
