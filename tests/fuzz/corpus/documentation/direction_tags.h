// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: direction tags in every spelling; they go into the facts, and what they leave open is decided in overrides.json.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

/**
 * \defgroup TOY_MAIN Main
 * @{
 */

/**
 * @param[in] source  Where from.
 * @param [out]target  Where to.
 * @param[in,out] bytes  How many; gives back how many were left.
 * @param[ in , out ] cursor  Moves along.
 * @param plain  Has no tag.
 * @param[out] missing  Names no parameter.
 * Unlike params[out] plain.
 */
toyStatus toyMove(const void *source, void *target, size_t *bytes, size_t *cursor, int plain);

/** \param[out] data Tagged as output, but constant: the type is right. */
toyStatus toyShow(const int *data, int count);

/** \param[in] answer Tagged wrongly; overrides.json says so. */
toyStatus toyAsk(int *answer);

/** @} */

#endif
