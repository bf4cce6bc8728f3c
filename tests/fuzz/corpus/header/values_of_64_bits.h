// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: enumerators and constants require all 64 bits. None may become negative or lose its sign.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyWideMask_enum {
    TOY_WIDE_MASK_NONE = 0,
    TOY_WIDE_MASK_TOP = 0x8000000000000000ull,
    TOY_WIDE_MASK_ALL = 0xffffffffffffffffull
} toyWideMask;

typedef enum toyOffset_enum {
    TOY_OFFSET_FIRST = -0x7fffffffffffffffll - 1,
    TOY_OFFSET_LAST = 0x7fffffffffffffffll
} toyOffset;

#define TOY_ALL_BITS 0xffffffffffffffffull

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toySetMask(toyWideMask mask, toyOffset offset);
/** @} */

#endif
