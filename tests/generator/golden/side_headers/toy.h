// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: functions and types are in headers that programs include separately. One requires headers of other software, which the
// machine lacks, and does not even include one of them. vendor.hpp includes neither header.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen(int number);
/** @} */

#endif
