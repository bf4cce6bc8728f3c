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
 * \brief Reads how heavy a toy is.
 *
 * \param[out] grams  - Where the weight goes
 * \param[in]  number    - Which toy
 */
toyStatus toyMeasure(unsigned int *grams, int number);

/** @} */

#endif
