// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: an #if is between a comment and its declaration. The comment still belongs to the declaration.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */

/**
 * \brief Paints a toy.
 *
 * \param[in]  number     - Number of the toy
 * \param[out] litres  - Receives the amount of paint
 */
#if TOY_VERSION >= 13000

toyStatus toyPaint(int number, float *litres);
#endif

/* A separate section without tags. */
#if defined(TOY_NEVER)
toyStatus toyPaintTwice(int number, float *litres);
#else
toyStatus toyPaintOnce(int number, float *litres);
#endif

/** @} */

#endif
