// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: parameters have names that a wrapper's body uses: the calling helper, the return type, the function itself.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyBox_st *toyBox;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyDial(int *answer, int call);
int toyDialPlain(int call_plain);
toyStatus toyEntry(int entry_points);
toyStatus toyTypes(toyBox *toyBox, int toyStatus);
toyStatus toySelf(int toySelf);
toyStatus toyNamespace(int toy, int detail, int cubind);
/** @} */

#endif
