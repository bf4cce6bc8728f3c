// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a spec is numbered by releases of CUDA, and the library has a version of its own in each of them.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
#define TOY_MAJOR 10
#define TOY_MINOR 9
#define TOY_PATCH 14

typedef enum {
    TOY_MAJOR_PART = 7,
    TOY_MINOR_PART = 8,
    TOY_PATCH_PART = 9
} toyPart;

toyStatus toyProperty(toyPart part, int *value);
/** @} */

#endif
