// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: direction tags have every spelling and are stored in the facts. overrides.json decides the parameters without a tag.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

/**
 * \defgroup TOY_MAIN Main
 * @{
 */

/**
 * @param[in] source  The source.
 * @param [out]target  The destination.
 * @param[in,out] bytes  The number of bytes; receives the number that is left.
 * @param[ in , out ] cursor  The position, which the call advances.
 * @param plain  Has no tag.
 * @param[out] missing  Names no parameter.
 * Unlike params[out] plain.
 */
toyStatus toyMove(const void *source, void *target, size_t *bytes, size_t *cursor, int plain);

/** \param[out] data Tagged as an output, but the type is constant and decides. */
toyStatus toyShow(const int *data, int count);

/** \param[in] answer The tag is wrong; overrides.json corrects it. */
toyStatus toyAsk(int *answer);

/** @} */

#endif
