// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: overrides.json states the objects that calls create and destroy. There are versions of a function, arrays and records that
// hold objects, objects within others, integers that name objects, and lengths that are products.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

typedef struct toyRoom_st *toyRoom;
typedef struct toyBox_st *toyBox;
typedef unsigned long long toyPlace;

typedef struct toyParcel_st {
    size_t weight;
    void *content;
} toyParcel;

typedef enum toyLabel_enum {
    TOY_FRAGILE = 1,
    TOY_HEAVY = 2
} toyLabel;

typedef enum toyColor_enum {
    TOY_RED = 0,
    TOY_FIRST_CUSTOM_COLOR = 1
} toyColor;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyGetRoom(toyRoom *room);
toyStatus toyIsRecording(toyBox box, int *recording);
toyStatus toyOpen(toyBox *box, toyLabel labels);
toyStatus toyOpen_v2(toyBox *box, toyLabel labels, int flags);
toyStatus toyClose(toyBox box);
toyStatus toyTakeAll(toyBox box, toyPlace *places, int rows, int columns);
toyStatus toyLeave(toyPlace place, toyBox unlessRecorded);
toyStatus toyPack(toyParcel *parcel);
toyStatus toyUnpack(void *content);
toyStatus toyEmptyRoom(int number);
toyStatus toyEnter(toyRoom *room, int number);
toyStatus toyJoin(toyBox first, toyBox second);
toyStatus toyPaint(toyBox box, toyColor color);
/** @} */

#endif
