// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOY_SUB_API_H
#define TOY_SUB_API_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen_v2(int number);
/** @} */

#endif
