// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the names of the function pointer types in a second header state the release that introduced each symbol.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define toyTurn toyTurn_v2

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyTurn(int number, float angle);
toyStatus toyJump(int number);
toyStatus toyJump_ptsz(int number);
toyStatus toyAmbiguous(int number);
toyStatus toyYoung(int number);
/** @} */

#if defined(TOY_INTERNAL)
#undef toyTurn
toyStatus toyTurn(int number);
#endif

#endif
