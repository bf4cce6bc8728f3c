// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a public name is an object-like macro that is defined after the declarations.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyBox_st *toyBox;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyFill_v2(toyBox box, int count);
toyStatus toySeal(toyBox box);
/** @} */

#define toyFill toyFill_v2

#endif
