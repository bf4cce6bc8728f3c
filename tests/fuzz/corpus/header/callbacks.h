// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: functions as parameters, under a name and spelled out, that mention types which nothing else does.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyEvent_st {
    int code;
} toyEvent;
typedef struct toyBox_st *toyBox;

typedef void (*toyListener)(toyBox box, const toyEvent *event, void *state);
typedef const char *(*toyNamer)(int);

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyListen(toyBox box, toyListener listener, void *state);
toyStatus toyListenOnce(toyBox box, void (*listener)(toyBox box, void *state), void *state);
toyStatus toyName(toyNamer namer);
toyStatus toyGetListener(toyListener *listener);
/** @} */

#endif
