// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a spec is numbered by the library's own versions. The weights of the version function differ from the macro's.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Toys
 * @{
 */
typedef struct {
    int width;
} toySize;

toyStatus toyVersion(int *version);
toyStatus toyOld(toySize size);
/** @} */

#endif
