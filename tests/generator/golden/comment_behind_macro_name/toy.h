// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: libclang returns no comment for a function whose name is a macro. Its direction tags must still be found.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define toyMeasure toyMeasure_v2

/**
 * \defgroup TOY_MAIN Main
 * @{
 */

/**
 * \brief Returns the weight of a toy.
 *
 * \param[out] grams  - Receives the weight
 * \param[in]  number    - Number of the toy
 */
toyStatus toyMeasure(unsigned int *grams, int number);

/** @} */

#endif
