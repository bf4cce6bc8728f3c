// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: enums that have neither a tag nor a typedef. Their enumerators are constants.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

enum { TOY_LIMIT = 32, TOY_DOUBLE_LIMIT = TOY_LIMIT * 2 };
enum { TOY_BEFORE = -1 };
enum { TOY_HIGH_BIT = 0x80000000u, TOY_LOW_BIT = 1 };
enum { TOY_HUGE = 0x100000000 };

// Macros and variables with their values.
#define TOY_LIMIT TOY_LIMIT
#define TOY_MACRO_LIMIT TOY_DOUBLE_LIMIT
enum { TOY_FIRST, TOY_LAST } static const toyDefault = TOY_LAST;

// The struct of a variable that is not bound.
struct { int count; } toyState;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyResize(int size = TOY_LIMIT);
/** @} */

#endif
