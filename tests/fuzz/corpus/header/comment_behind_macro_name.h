// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: libclang gives no comment to a function whose name is a macro; its direction tags must still be found.
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
