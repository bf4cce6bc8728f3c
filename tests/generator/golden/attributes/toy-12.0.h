// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: enumerators with accessors are added, removed and equal in value. One enumerator is only the count of the others.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyFeature_enum {
    TOY_FEATURE_WHEEL_LIMIT = 1,
    TOY_FEATURE_MAX_WHEELS = 1,
    TOY_FEATURE_TOP_SPEED = 2,
    TOY_FEATURE_CAN_SWIM = 3,
    TOY_FEATURE_CAN_FLY = 4,
    TOY_FEATURE_COLOR_OF_2ND_WHEEL = 5,
    TOY_FEATURE_LAST
} toyFeature;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyGetFeature(int *value, toyFeature feature);
/** @} */

#endif
