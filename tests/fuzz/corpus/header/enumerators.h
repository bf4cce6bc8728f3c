// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: enumerators are negative, larger than a signed int, duplicated, or alone in an unnamed enum.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyLevel_enum {
    TOY_LEVEL_LOWEST = -2147483647 - 1,
    TOY_LEVEL_LOW = -1,
    TOY_LEVEL_NONE = 0,
    TOY_LEVEL_DEFAULT = 0,
    TOY_LEVEL_HIGH
} toyLevel;

typedef enum toyMask_enum {
    TOY_MASK_NONE = 0,
    TOY_MASK_TOP = 0x80000000,
    TOY_MASK_ALL = 0xffffffff
} toyMask;

typedef enum {
    TOY_ONLY_NAMED_BY_TYPEDEF = 7
} toyTagless;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toySetLevel(toyLevel level, toyMask mask, toyTagless last);
/** @} */

#endif
