// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: function pointer parameters, named and spelled out, mention types that nothing else mentions.
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
