// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the C++ declarations have default arguments. A wrapper has those of its last parameters.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyBox_st *toyBox;
typedef enum toyColor_enum { TOY_RED = 1, TOY_BLUE = 2 } toyColor;
#define toyEventDefault 0x04

#if defined(__cplusplus)
#define __toy_default(value) = value
#else
#define __toy_default(value)
#endif

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyStart(int count, toyColor color __toy_default(TOY_RED), unsigned int flags __toy_default(toyEventDefault),
                   toyBox box __toy_default(0));
toyStatus toyMark(const char *text = 0, bool slow = true);
toyStatus toyTell(int place = 3, int *answer = 0, void *state = 0);
/** @} */

#endif
