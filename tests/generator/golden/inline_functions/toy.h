// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the header defines some functions itself, so no library exports them. An inline function that calls a versioned symbol of
// its own name is exported.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

extern "C" {

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen(int number);
toyStatus __toyClose_13_4(int number);

static inline toyStatus toyOpenFirst(void) { return toyOpen(1); }
static toyStatus toyOpenSecond(void) { return toyOpen(2); }
inline toyStatus toyOpenThird(void) { return toyOpen(3); }
static inline toyStatus toyClose(int number) { return __toyClose_13_4(number); }
/** @} */
}

#endif
