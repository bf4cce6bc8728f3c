// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TOY_TOOLS_H
#define TOY_TOOLS_H

#include "toy.h"

/**
 * \ingroup TOY_MAIN
 */
toyStatus toyMeasure(int *size);

#endif
