// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a macro of the user replaces functions by their per-thread forms, with and without a version suffix.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#if defined(TOY_PER_THREAD) || defined(TOY_INTERNAL)
#define __TOY_FORM(name) name##_ptsz
#define __TOY_OLD_FORM(name) name##_ptds
#else
#define __TOY_FORM(name) name
#define __TOY_OLD_FORM(name) name
#endif

#define toyRun __TOY_FORM(toyRun)
#define toyCopy __TOY_OLD_FORM(toyCopy_v2)

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyRun(int number);
toyStatus toyCopy(int from, int to);
toyStatus toyStop(int number);
/** @} */

#if defined(TOY_INTERNAL)
#undef toyRun
#undef toyCopy
toyStatus toyRun(int number);
toyStatus toyCopy(short from, short to);
toyStatus toyCopy_v2(int from, int to);
#endif

#endif
